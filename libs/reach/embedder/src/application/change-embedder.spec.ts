import { EmbedderFailedError } from '#lib/embedding';
import type { PersonPrincipal } from '#lib/kernel';
import { fakeClockedWorld } from '../../../../foundation/kernel/src/fake-clock.js';
import { FakeAuditSink } from '../../../../foundation/kernel/src/fake-ports.js';
import { FakeTwoPersonRule } from '../../../../foundation/kernel/src/fake-two-person-rule.js';
import { AskTenantEmbedder } from './ask-tenant-embedder.js';
import { ChangeEmbedder } from './change-embedder.js';
import type { EmbedderRequest, MayConnect } from './embedder.ports.js';
import { FakeEmbedders } from './fake-embedders.js';
import { RemoveEmbedder } from './remove-embedder.js';
import { SetEmbedderToken } from './set-embedder-token.js';
import { TestEmbedder } from './test-embedder.js';

const settings = { url: 'https://models.example.com/v1', ca: null, model: 'one', dimensions: null };

/** The use cases of a tenant over fakes. */
function changing(secondPerson: boolean, verdict: Awaited<ReturnType<MayConnect>> = 'public') {
  const { uow, home } = fakeClockedWorld();
  const [embedders, audit] = [new FakeEmbedders(uow), new FakeAuditSink(uow)];
  const twoPersonRule = new FakeTwoPersonRule(uow, secondPerson);
  const by: PersonPrincipal = { ...home.admin, reason: 'Precedents need it.' };
  const mayConnect = () => Promise.resolve(verdict);
  const requests: EmbedderRequest[] = [];
  let failure: Error | null = null;
  const asking = new AskTenantEmbedder(uow, embedders, {
    ask: (_tenant, request) => {
      requests.push(request);
      return failure === null ? Promise.resolve([Float32Array.of(0.6, 0.8)]) : Promise.reject(failure);
    },
  });
  const change = new ChangeEmbedder(uow, { embedders, mayConnect, twoPersonRule, audit });
  const token = new SetEmbedderToken(uow, embedders, audit);
  const remove = new RemoveEmbedder(uow, embedders, twoPersonRule, audit);
  const test = new TestEmbedder(uow, embedders, asking, audit);
  return {
    ...{ by, home, requests },
    change: (more: Partial<typeof settings> | { readonly ca: string } = {}) =>
      change.execute(by, { ...settings, ...more }),
    token: (value: string | null) => token.execute(by, value),
    remove: () => remove.execute(by),
    test: () => test.execute(by),
    ask: (...texts: readonly string[]) => asking.execute(home.tenantId, texts, 1_000),
    fail: (error: Error | null) => (failure = error),
    found: () => uow.run(home.tenantId, (tx) => embedders.find(tx)),
    recorded: () => audit.of(home).map(({ action, payload }) => ({ action, payload })),
  };
}

describe('the embedder of a tenant', () => {
  it('waits for a second person, and gets nothing before', async () => {
    const embedder = changing(true);
    expect(await embedder.change()).toMatchObject({ ok: true, value: { outcome: 'waits' } });
    expect([await embedder.found(), await embedder.ask('one'), embedder.requests]).toEqual([null, null, []]);
  });

  it('is added, gets another model without a second person, and is removed', async () => {
    const embedder = changing(false);
    await embedder.change();
    expect(await embedder.found()).toMatchObject({ ...settings, hasToken: false, generation: 1 });
    await embedder.change();
    expect(await embedder.found()).toMatchObject({ generation: 1 });
    await embedder.change({ model: 'two' });
    expect(await embedder.found()).toMatchObject({ model: 'two', generation: 2 });
    expect(await embedder.remove()).toMatchObject({ ok: true });
    expect(await embedder.found()).toBeNull();
    const actions = embedder.recorded().map(({ action }) => action);
    expect(actions).toEqual(['embedder.added', 'embedder.changed', 'embedder.changed', 'embedder.removed']);
  });

  it('loses its token with its address, and the audit log never has it', async () => {
    const embedder = changing(false);
    await embedder.change();
    await embedder.token('model-token');
    expect((await embedder.found())?.hasToken).toBe(true);
    await embedder.change({ url: 'https://models.example.com/v2' });
    expect((await embedder.found())?.hasToken).toBe(false);
    expect(JSON.stringify(embedder.recorded())).not.toContain('model-token');
  });

  it('T31: is refused at an address that the operator does not allow, and in the clear', async () => {
    const code = 'embedder.address_not_allowed';
    expect(await changing(false, 'refused').change()).toMatchObject({ ok: false, error: { code } });
    for (const url of [
      'http://models.example.com/v1',
      'https://u:p@models.example.com',
      'https://models.example.com/?k=1',
    ])
      expect(await changing(false).change({ url })).toMatchObject({ ok: false, error: { code } });
    expect(await changing(false).change({ ca: 'no certificate' })).toMatchObject({
      ok: false,
      error: { code: 'embedder.authority_invalid' },
    });
  });

  it('has no token and no test, and cannot be removed, before it is there', async () => {
    const embedder = changing(false);
    const missing = { ok: false, error: { code: 'resource.not_found' } };
    expect(await embedder.token('model-token')).toMatchObject(missing);
    expect(await embedder.test()).toMatchObject(missing);
    expect(await embedder.remove()).toMatchObject(missing);
  });

  it('is tested by a sentence, and shows its last error until it gives a vector again', async () => {
    const embedder = changing(false);
    await embedder.change();
    expect(await embedder.test()).toEqual({ ok: true, value: { dimensions: 2, error: null } });
    embedder.fail(new EmbedderFailedError('unavailable', 'It answered 401.'));
    expect(await embedder.test()).toEqual({ ok: true, value: { dimensions: null, error: 'It answered 401.' } });
    expect(await embedder.found()).toMatchObject({ error: 'It answered 401.' });
    embedder.fail(new EmbedderFailedError('rejected', 'It answered 400.'));
    await embedder.ask('too long');
    expect(await embedder.found()).toMatchObject({ error: 'It answered 401.' });
    embedder.fail(null);
    await embedder.ask('one');
    expect(await embedder.found()).toMatchObject({ error: null });
  });

  it('T32: gets texts with their secrets masked, and its own token', async () => {
    const embedder = changing(false);
    await embedder.change();
    await embedder.token('model-token');
    await embedder.ask('connect with password=hunter2hunter2 to the database');
    expect(embedder.requests).toMatchObject([{ ...settings, token: 'model-token' }]);
    expect(embedder.requests[0]?.texts[0]).toMatch(/^connect with .* to the database$/);
    expect(embedder.requests[0]?.texts[0]).not.toContain('hunter2');
  });
});
