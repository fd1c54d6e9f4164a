import { z } from 'zod';
import { newId, type PersonPrincipal } from '#lib/kernel';
import { TEST_AUTHORITY } from '../../../../../test/support/test-authority.js';
import { fakeClockedWorld } from '../../../../foundation/kernel/src/fake-clock.js';
import { FakeAuditSink } from '../../../../foundation/kernel/src/fake-ports.js';
import { FakeTwoPersonRule, sampleConfirmation } from '../../../../foundation/kernel/src/fake-two-person-rule.js';
import { createConnection } from '../create-connection.js';
import { revisionOf, type ConnectionKind } from '../domain/connection.js';
import type { MayConnect } from './connection.ports.js';
import { FakeConnections, FakeConnectionWork } from './fake-connections.js';

const shape = z.object({ url: z.string(), ca: z.string().nullable(), model: z.string() });
type Settings = z.infer<typeof shape>;

/** A kind that exists in this test alone: texts go to a server with a model. */
const KIND: ConnectionKind<Settings> = {
  ...{ kind: 'embedder', family: 'embedder', name: 'server of texts', sends: 'texts are sent', settings: shape },
  payload: z.strictObject({ id: z.string(), ...shape.shape }),
  isSame: (one, other) => one.url === other.url && one.model === other.model,
};
const settings: Settings = { url: 'https://texts.example.com/in', ca: null, model: 'one' };

/** The use cases of a tenant over fakes. */
function connected(secondPerson: boolean, verdict: Awaited<ReturnType<MayConnect>> = 'public') {
  const { uow, home } = fakeClockedWorld();
  const [connections, audit] = [new FakeConnections<Settings>(uow), new FakeAuditSink(uow)];
  const twoPersonRule = new FakeTwoPersonRule(uow, secondPerson);
  const work = new FakeConnectionWork();
  const by: PersonPrincipal = { ...home.admin, reason: 'The workspace needs it.' };
  const mayConnect = () => Promise.resolve(verdict);
  const cases = createConnection(KIND, { uow, connections, work, mayConnect, twoPersonRule, audit });
  return {
    ...{ twoPersonRule, calls: work.calls },
    confirm: (payload: Settings & { readonly id: string }) => {
      const proposed = { kind: KIND.kind, payload, base: null, loosens: [`texts are sent to ${payload.url}`] };
      const confirmed = sampleConfirmation(proposed, by, home.admin);
      return uow.run(home.tenantId, (tx) => cases.change.carryOut(tx, confirmed, payload));
    },
    change: (more: Partial<Settings> = {}, read: (revision: string | null) => void = () => undefined) =>
      cases.change.execute(by, { ...settings, ...more }, read),
    token: (value: string | null, read: (revision: string) => void = () => undefined) =>
      cases.setToken.execute(by, value, read),
    remove: () => cases.remove.execute(by),
    test: () => cases.test.execute(by),
    read: () => cases.read.execute(home.tenantId),
    found: () => uow.run(home.tenantId, (tx) => connections.find(tx)),
    waiting: () => twoPersonRule.waitingIn(home),
    recorded: () => audit.of(home).map(({ action, payload }) => ({ action, payload })),
  };
}

const missing = {
  ok: false,
  error: { code: 'resource.not_found', message: expect.stringContaining('server of texts') as string },
};

describe('the connection of a tenant', () => {
  it('waits for a second person, and its work begins with the confirmation', async () => {
    const server = connected(true);
    expect(await server.change()).toMatchObject({ ok: true, value: { outcome: 'waits' } });
    expect([await server.found(), server.calls]).toEqual([null, []]);
  });

  it('is added, changed and removed, and its work with it', async () => {
    const server = connected(false);
    await server.change();
    expect(await server.read()).toMatchObject({ ok: true, value: { ...settings, hasToken: false, generation: 1 } });
    await server.change({ ca: TEST_AUTHORITY });
    expect([(await server.found())?.generation, server.calls]).toEqual([1, ['begin', 'retryNow']]);
    await server.change({ model: 'two' });
    expect(await server.found()).toMatchObject({ model: 'two', generation: 2 });
    await server.remove();
    expect([await server.found(), server.calls]).toEqual([null, ['begin', 'retryNow', 'begin', 'end']]);
    const actions = server.recorded().map(({ action }) => action);
    expect(actions).toEqual(['embedder.added', 'embedder.changed', 'embedder.changed', 'embedder.removed']);
  });

  it.each<[string, Partial<Settings>, 'done' | 'waits']>([
    ['another address', { url: 'https://texts.example.com/out' }, 'waits'],
    ['another model', { model: 'two' }, 'done'],
    ['the public authorities in place of one', { ca: null }, 'waits'],
  ])('is changed to %s: it %s', async (_what, more, outcome) => {
    const server = connected(false);
    await server.change({ ca: TEST_AUTHORITY });
    server.twoPersonRule.secondAdmin = true;
    const changed = await server.change({ ca: TEST_AUTHORITY, ...more });
    expect(changed).toMatchObject({ ok: true, value: { outcome } });
  });

  it('T31: is checked again once a second person confirmed it, under the id that was proposed', async () => {
    const payload = { id: newId(), ...settings };
    const server = connected(true);
    expect(await server.confirm(payload)).toMatchObject({ ok: true, value: { value: payload } });
    expect([(await server.found())?.id, server.calls]).toEqual([payload.id, ['begin']]);
    const refused = await connected(true, 'refused').confirm(payload);
    expect(refused).toMatchObject({ ok: false, error: { code: 'embedder.address_not_allowed' } });
  });

  it('tells whoever changes it which settings it has, and none before it was added', async () => {
    const server = connected(false);
    const revisions: (string | null)[] = [];
    const read = (revision: string | null): void => void revisions.push(revision);
    await server.change({}, read);
    await server.change({ model: 'two' }, read);
    expect(revisions).toEqual([null, revisionOf(settings)]);
    const stale = (): void => {
      throw new Error('changed meanwhile');
    };
    await expect(server.change({ model: 'three' }, stale)).rejects.toThrow('changed meanwhile');
    expect(await server.found()).toMatchObject({ model: 'two' });
  });

  it('voids a change of it that waits, once it is removed', async () => {
    const server = connected(false);
    await server.change();
    server.twoPersonRule.secondAdmin = true;
    await server.change({ url: 'https://texts.example.com/out' });
    expect(server.waiting()).toHaveLength(1);
    expect(await server.remove()).toEqual({ ok: true, value: null });
    expect([server.waiting(), await server.found()]).toEqual([[], null]);
  });

  it('loses its token with its address, and the audit log never has it', async () => {
    const server = connected(false);
    await server.change();
    expect(await server.token('own-token')).toMatchObject({ ok: true });
    expect([(await server.found())?.hasToken, server.calls]).toEqual([true, ['begin', 'retryNow']]);
    await server.change({ url: 'https://texts.example.com/out' });
    expect((await server.found())?.hasToken).toBe(false);
    await server.token(null);
    expect(server.recorded().map(({ action }) => action)).toContain('embedder.token_removed');
    expect(JSON.stringify(server.recorded())).not.toContain('own-token');
  });

  it('T32: gets no token of an author who read another address', async () => {
    const server = connected(false);
    await server.change();
    const read = (revision: string): void => {
      if (revision !== revisionOf(settings)) throw new Error('changed meanwhile');
    };
    await server.change({ url: 'https://other.example.com/in' });
    await expect(server.token('own-token', read)).rejects.toThrow('changed meanwhile');
    expect([(await server.found())?.hasToken, server.calls.includes('retryNow')]).toEqual([false, false]);
    await server.change();
    expect(await server.token('own-token', read)).toMatchObject({ ok: true });
  });

  it('T31: is refused at an address that the operator does not allow, and in the clear', async () => {
    const code = 'embedder.address_not_allowed';
    expect(await connected(false, 'refused').change()).toMatchObject({ ok: false, error: { code } });
    for (const url of [
      'http://texts.example.com',
      'https://user:pass@texts.example.com',
      'https://texts.example.com/?a=1',
    ])
      expect(await connected(false).change({ url })).toMatchObject({ ok: false, error: { code } });
    expect(await connected(false).change({ ca: 'no certificate' })).toMatchObject({
      ok: false,
      error: { code: 'embedder.authority_invalid' },
    });
  });

  it('has no token and no test, and cannot be removed, before it is there', async () => {
    const server = connected(false);
    expect(await server.token('own-token')).toMatchObject(missing);
    expect(await server.test()).toMatchObject(missing);
    expect(await server.remove()).toMatchObject(missing);
    expect(await server.read()).toMatchObject(missing);
    expect([server.calls, server.recorded()]).toEqual([[], []]);
  });

  it('is tested by an entry of the log, and ends the wait after a failure', async () => {
    const server = connected(false);
    await server.change();
    expect(await server.test()).toEqual({ ok: true, value: null });
    expect(server.recorded().at(-1)).toEqual({ action: 'embedder.tested', payload: { url: settings.url } });
    expect(server.calls).toEqual(['begin', 'retryNow']);
  });
});
