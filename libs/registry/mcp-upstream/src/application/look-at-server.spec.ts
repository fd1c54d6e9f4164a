import { newId, type Tx } from '#lib/kernel';
import { readMcpDefinition, type McpDefinition } from '#lib/mcp-client';
import type { RecordedToolVersion, ExecutorId } from '#lib/tool';
import { FakeAuditSink } from '../../../../foundation/kernel/src/fake-ports.js';
import { fakeWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import { sampleTool } from '../../../tool/src/application/fake-tool.js';
import { FakeMcpLooks } from './fake-mcp-looks.js';
import { LookAtServer } from './look-at-server.js';
import type { McpAnswer } from './mcp-upstream.ports.js';

const MINUTE_MS = 60_000;
const definition = (description: string): McpDefinition =>
  readMcpDefinition({ name: 'read', description, inputSchema: { type: 'object' } });
const [accepted, moved, further] = [definition('Reads.'), definition('Sends.'), definition('Sends more.')];
const listing = (...tools: readonly McpDefinition[]): McpAnswer => ({ ok: true, tools });

/** A server whose tool `read` a person accepted, before the first look. */
async function serverWorld() {
  const { uow, home, other } = fakeWorld();
  const [looks, audit] = [new FakeMcpLooks(uow), new FakeAuditSink(uow)];
  const id = newId<ExecutorId>();
  const tool = sampleTool('mcp:ops:read', { executor: 'ops', mcp: { tool: 'read', digest: accepted.digest ?? '' } });
  const elsewhere = sampleTool('mcp:files:read', {
    executor: 'files',
    mcp: { tool: 'read', digest: moved.digest ?? '' },
  });
  const recorded = [sampleTool('look'), elsewhere, tool] as readonly unknown[] as readonly RecordedToolVersion[];
  const within = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => uow.run(home.tenantId, work);
  await within((tx) => {
    looks.add(tx, { id, environment: 'staging', name: 'ops', url: null, secret: null, onRunner: null });
    return Promise.resolve();
  });
  const server = { answer: listing(accepted), asked: 0, meanwhile: () => Promise.resolve() };
  const reader = {
    read: async () => {
      server.asked += 1;
      await server.meanwhile();
      return server.answer;
    },
  };
  const looking = new LookAtServer(uow, looks, { list: () => Promise.resolve(recorded) }, reader, audit);
  return {
    ...{ uow, home, other, server, within },
    ask: (environment = 'staging', by = home.admin) => looking.ask(by, environment, 'ops'),
    look: async (answer: McpAnswer) => {
      server.answer = answer;
      await looking.execute(home.tenantId, id);
    },
    unknown: () => looking.execute(home.tenantId, newId()),
    found: () => within(async (tx) => (await looks.named(tx, 'staging', 'ops'))?.look),
    putOff: () => looks.putOffUntil.of(home).get(id),
    changes: () => audit.of(home).map(({ payload, digests }) => [payload, digests]),
    actions: () => audit.of(home).map(({ action }) => action),
  };
}

describe('a look at an upstream server', () => {
  it('keeps the tools that it lists, and puts the next look off for five minutes before it asks', async () => {
    const { ask, server, found, putOff, uow, actions } = await serverWorld();
    let before: number | undefined;
    server.meanwhile = () => Promise.resolve(void (before = putOff()));
    expect(await ask()).toEqual({ ok: true, value: null });
    expect(before).toBe(uow.now + 5 * MINUTE_MS);
    expect(await found()).toEqual({ lookedAt: uow.now, problem: null, tools: [accepted] });
    expect(actions()).toEqual([]);
  });

  it('T54: is on record if a definition is no longer the accepted one, once each', async () => {
    const { look, changes, actions } = await serverWorld();
    for (const tools of [[accepted], [moved], [moved], [further], [], [], [accepted]]) await look(listing(...tools));
    const of = (standing: string, seen: McpDefinition | null) => [
      { server: 'ops', environment: 'staging', tool: 'read', standing },
      { accepted_digest: accepted.digest, seen_digest: seen?.digest ?? null },
    ];
    expect(changes()).toEqual([of('changed', moved), of('changed', further), of('gone', null)]);
    expect(new Set(actions())).toEqual(new Set(['tool.definition_changed']));
  });

  it('T54: is on record at the first look, too, and if two tools have one name', async () => {
    const [one, two] = [await serverWorld(), await serverWorld()];
    await one.look(listing(moved));
    await two.look(listing(accepted, accepted));
    expect(one.changes()).toMatchObject([[{ standing: 'changed' }, {}]]);
    expect(two.changes()).toMatchObject([[{ standing: 'gone' }, {}]]);
  });

  it('that fails keeps the tools of the one before, with the problem', async () => {
    const { look, found, uow, actions } = await serverWorld();
    await look(listing(accepted));
    uow.now += MINUTE_MS;
    await look({ ok: false, problem: 'It does not answer.' });
    expect(await found()).toEqual({ lookedAt: uow.now, problem: 'It does not answer.', tools: [accepted] });
    expect(actions()).toEqual([]);
  });

  it('asks outside transactions', async () => {
    const { look, server, within, found } = await serverWorld();
    server.meanwhile = async () => within(() => Promise.resolve());
    await look(listing(accepted));
    expect(await found()).toMatchObject({ tools: [accepted] });
  });

  it('asks no server that is unknown, is in another environment or belongs to another tenant', async () => {
    const { ask, unknown, server, other } = await serverWorld();
    const missing = { ok: false, error: { code: 'resource.not_found' } };
    expect(await ask('production')).toMatchObject(missing);
    expect(await ask('staging', other.admin)).toMatchObject(missing);
    await unknown();
    expect(server.asked).toBe(0);
  });
});
