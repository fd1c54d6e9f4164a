import { MAX_RESULT_VALUES } from '#lib/canonical';
import type { RunnerCall } from '#lib/dispatch';
import { newId, ok, type AuditEvent, type Tx, type UnitOfWork } from '#lib/kernel';
import type { ToolVersion } from '#lib/tool';
import { fakeWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import { passTimers } from '../../../../../test/support/passed-waits.js';
import { sampleTool } from '../../../tool/src/application/fake-tool.js';
import { createRunnerSignals } from '../create-runner-pool.js';
import type { RunnerId } from '../domain/ids.js';
import type { Runner } from '../domain/runner.js';
import { FakeRunnerDispatchRepository } from './fake-runner-dispatch.repository.js';
import { fakeRunnerPool } from '../fake-runner-pool.js';
import { FakeRunnerMcpServers } from './fake-runner-mcp-servers.js';
import { FakeRunnerRepository } from './fake-runner.repository.js';
import { movedOf, offeredTo } from './runner.ports.js';

const never = new AbortController().signal;

afterEach(() => {
  jest.restoreAllMocks();
});

/** A pool with runners that a test plays, and the calls that it is offered. */
function poolOf() {
  const { uow, home } = fakeWorld();
  const { tenantId } = home;
  const dispatches = new FakeRunnerDispatchRepository(uow);
  let tell: (topic: string | null) => void = () => undefined;
  const signals = createRunnerSignals({
    subscribe: (_channel, listener) => {
      tell = listener;
      return () => undefined;
    },
  });
  const standing = new Map<RunnerId, Runner>();
  const runners = new FakeRunnerRepository(uow);
  jest.spyOn(runners, 'find').mockImplementation((_tx, id) => Promise.resolve(standing.get(id) ?? null));
  jest.spyOn(runners, 'reach').mockResolvedValue('online');
  const audited: AuditEvent[] = [];
  const audit = { record: (_tx: Tx, event: AuditEvent) => Promise.resolve(void audited.push(event)) };
  const secrets = {
    values: new Map([['db@1', 'hunter22']]),
    resolveAll: (_tenant: unknown, wanted: readonly { readonly reference: string }[]) =>
      wanted.every(({ reference }) => secrets.values.has(reference))
        ? Promise.resolve(new Map(wanted.map(({ reference }) => [reference, secrets.values.get(reference) ?? ''])))
        : Promise.reject(new Error('gone')),
  };
  const proven = (environments: readonly string[] = ['staging']) => {
    const id = newId<RunnerId>();
    const runner: Runner = {
      id,
      name: id,
      pool: 'builders',
      environments,
      createdAt: 0,
      createdBy: home.admin.personId,
      enrolledAt: 1,
      version: '1',
      tools: [],
      worksIn: environments,
      hooks: [],
      noWayBack: null,
      lastSeenAt: 1,
      leftAt: null,
      revokedAt: null,
    };
    standing.set(id, runner);
    return { tenantId, runner, keyId: newId() };
  };
  const rows = { runners, dispatches, mcpServers: new FakeRunnerMcpServers(uow, runners) };
  const definitions = new Map<string, ToolVersion>();
  const tools = { get: (_tx: Tx, name: string) => Promise.resolve(definitions.get(name) ?? null) };
  const partsIn = (own: UnitOfWork) => fakeRunnerPool({ uow: own, rows, signals, secrets, tools, audit });
  const { takeCall: taking, reportCall: reporting } = partsIn(uow);
  const options = { waitMs: 60_000, held: [], gone: never };
  return {
    uow,
    standing,
    definitions,
    secrets,
    audited,
    proven,
    tell: (topic: string | null) => {
      tell(topic);
    },
    offering: (own: UnitOfWork = uow) => partsIn(own).calls,
    reporting,
    take: (by: ReturnType<typeof proven>, changes: Partial<typeof options> = {}) =>
      taking.execute(by, { ...options, ...changes }),
    call: (changes: Partial<RunnerCall> = {}): RunnerCall => ({
      tenantId,
      environment: 'staging',
      source: { type: 'run', id: newId() },
      step: 's',
      attempt: 1,
      tool: { name: 'write', version: 1, timeLimitSeconds: 60, idempotent: false },
      arguments: {},
      withSecrets: false,
      idempotencyKey: 'k',
      pool: 'builders',
      executor: 'workspace',
      grant: 'a grant',
      ...changes,
    }),
    topics: { offered: offeredTo(tenantId, 'builders'), moved: (id: string) => movedOf(tenantId, id as never) },
  };
}

type Pool = ReturnType<typeof poolOf>;

/** The call that a runner took, once there is one. */
async function takenBy(pool: Pool, by: ReturnType<Pool['proven']>) {
  const taken = await pool.take(by);
  if (!taken.ok || taken.value === null) throw new Error('nothing was taken');
  return taken.value;
}

it('hands a call to a runner that waits, and its answer to the one who offered it', async () => {
  const pool = poolOf();
  const by = pool.proven();
  const waiting = takenBy(pool, by);
  const end = pool.offering().carryOut(pool.call());
  pool.tell(pool.topics.offered);
  const { call } = await waiting;
  expect(await pool.reporting.result(by, call.id, { ok: true, result: 1 })).toEqual(ok('answered'));
  pool.tell(pool.topics.moved(call.id));
  expect(await end).toEqual({ kind: 'answered', answer: { ok: true, result: 1 } });
});

describe('a call on a path that only the runner knows of (T52)', () => {
  const path = { type: 'string', format: 'workspace-path-written' };
  const parameters = { type: 'object', properties: { path, note: { type: 'string' } } };
  const plain = { type: 'object', properties: { path: { type: 'string' } } };
  /** A runner that says so, and the end of a call that it would take. */
  async function ended(definition: ToolVersion | null) {
    const pool = poolOf();
    const by = pool.proven();
    pool.standing.set(by.runner.id, { ...by.runner, tools: [{ name: 'write', parameters }] });
    if (definition !== null) pool.definitions.set('write', definition);
    const end = pool.offering().carryOut(pool.call());
    const taken = await pool.take(by, { waitMs: 0 });
    pool.tell(null);
    return { pool, by, end, taken };
  }

  it.each([
    ['a definition without path_arguments', sampleTool('write', { parameters: plain })],
    [
      'a definition that has it judged as read',
      sampleTool('write', { parameters: plain, path_arguments: { reads: ['/path'] } }),
    ],
    ['no definition', null],
  ])('never reaches it with %s, and did not start', async (_what, definition) => {
    const { end, taken } = await ended(definition);
    expect(taken).toEqual(ok(null));
    expect(await end).toMatchObject({
      kind: 'answered',
      answer: { ok: false, effect: 'not_started', error: { code: 'runner.paths_not_declared' } },
    });
  });

  it('reaches it if its definition has the path judged', async () => {
    const change = { risk: 'state_change_nonprod', effect: 'modify' } as const;
    const writes = { ...change, path_arguments: { writes: ['/path'] } };
    const { pool, by, end, taken } = await ended(sampleTool('write', { parameters: plain, ...writes }));
    expect(taken).toMatchObject({ ok: true, value: { call: { state: 'taken' } } });
    if (!taken.ok || taken.value === null) throw new Error('nothing was taken');
    await pool.reporting.result(by, taken.value.call.id, { ok: true, result: 1 });
    pool.tell(null);
    expect(await end).toMatchObject({ kind: 'answered' });
  });
});

it('gives one call to one of two runners', async () => {
  const pool = poolOf();
  const [one, two] = [pool.proven(), pool.proven()];
  const end = pool.offering().carryOut(pool.call());
  const { call } = await takenBy(pool, one);
  expect(await pool.take(two, { waitMs: 0 })).toEqual(ok(null));
  expect(await pool.reporting.result(two, call.id, { ok: true, result: 2 })).toMatchObject({ ok: false });
  await pool.reporting.result(one, call.id, { ok: true, result: 1 });
  pool.tell(null);
  expect(await end).toEqual({ kind: 'answered', answer: { ok: true, result: 1 } });
});

it('gives a call and its secrets to runners of its environment alone', async () => {
  const pool = poolOf();
  const [staging, both] = [pool.proven(), pool.proven(['production', 'staging'])];
  const asked: unknown[] = [];
  const { resolveAll } = pool.secrets;
  pool.secrets.resolveAll = (tenantId, wanted) => {
    asked.push(wanted);
    return resolveAll(tenantId, wanted);
  };
  const given = { password: { $secret: 'db@1' } };
  const sent = pool.call({ environment: 'production', withSecrets: true, arguments: given });
  const end = pool.offering().carryOut(sent);
  expect(await pool.take(staging, { waitMs: 0 })).toEqual(ok(null));
  expect(asked).toEqual([]);
  const { call, secrets } = await takenBy(pool, both);
  expect(secrets).toEqual({ 'db@1': 'hunter22' });
  await pool.reporting.result(both, call.id, { ok: true, result: 1 });
  pool.tell(null);
  await end;
});

it.each<[string, readonly string[] | null]>([
  ['has not said where it works', null],
  ['works elsewhere', ['production', 'qa']],
])(
  'gives no call and no secret to a runner that %s, though it was added for the environment',
  async (_what, worksIn) => {
    const pool = poolOf();
    const [silent, serves] = [pool.proven(), pool.proven()];
    pool.standing.set(silent.runner.id, { ...silent.runner, worksIn });
    pool.secrets.values.clear();
    const given = { password: { $secret: 'db@1' } };
    const end = pool.offering().carryOut(pool.call({ withSecrets: true, arguments: given }));
    expect(await pool.take(silent, { waitMs: 0 })).toEqual(ok(null));
    pool.secrets.values.set('db@1', 'hunter22');
    const { call } = await takenBy(pool, serves);
    await pool.reporting.result(serves, call.id, { ok: true, result: 1 });
    pool.tell(null);
    expect(await end).toMatchObject({ kind: 'answered', answer: { ok: true } });
  },
);

it('gives a call that was lost on its way to its runner no more once that works elsewhere', async () => {
  const pool = poolOf();
  const by = pool.proven();
  const end = pool.offering().carryOut(pool.call());
  await takenBy(pool, by);
  pool.standing.set(by.runner.id, { ...by.runner, worksIn: ['production'] });
  expect(await pool.take(by, { waitMs: 0 })).toEqual(ok(null));
  pool.tell(null);
  const error = { code: 'runner.works_elsewhere' };
  expect(await end).toMatchObject({ kind: 'answered', answer: { ok: false, effect: 'not_started', error } });
});

it('gives nothing to a runner that was revoked while it waited, or that has gone', async () => {
  const pool = poolOf();
  const by = pool.proven();
  const waiting = pool.take(by);
  pool.standing.set(by.runner.id, { ...by.runner, revokedAt: 1 });
  pool.tell(pool.topics.offered);
  expect(await waiting).toMatchObject({ ok: false, error: { code: 'runner.revoked' } });
  expect(await pool.take(pool.proven(), { gone: AbortSignal.abort() })).toEqual(ok(null));
});

it('ends a call whose secret is gone when it is taken: nothing happened', async () => {
  const pool = poolOf();
  const given = { password: { $secret: 'db@1' } };
  const end = pool.offering().carryOut(pool.call({ withSecrets: true, arguments: given }));
  pool.secrets.values.clear();
  expect(await pool.take(pool.proven(), { waitMs: 0 })).toEqual(ok(null));
  pool.tell(null);
  const answer = { ok: false, effect: 'not_started', error: { code: 'dispatch.secret_unavailable' } };
  expect(await end).toMatchObject({ kind: 'answered', answer });
});

it('is withdrawn after its offer, and lost after its time limit; a late answer goes on record', async () => {
  const pool = poolOf();
  const by = pool.proven();
  const unwanted = pool.offering().carryOut(pool.call());
  // Both transactions have begun by then.
  await pool.uow.run(by.tenantId, () => Promise.resolve());
  pool.uow.now += 15_000;
  pool.tell(null);
  expect(await unwanted).toEqual({ kind: 'not_taken' });
  const silent = pool.offering().carryOut(pool.call());
  const { call } = await takenBy(pool, by);
  pool.uow.now += 60_000;
  pool.tell(null);
  expect(await silent).toEqual({ kind: 'lost', runner: { name: by.runner.name, revoked: false } });
  const result = Array<number>(MAX_RESULT_VALUES).fill(0);
  expect(await pool.reporting.result(by, call.id, { ok: true, result })).toEqual(ok('answered_late'));
  expect(pool.audited).toMatchObject([
    {
      action: 'runner.answered_late',
      payload: { answer: { ok: false, effect: 'unknown', error: { code: 'dispatch.bad_answer' } } },
    },
  ]);
});

it('tells the standing of a call that another process offered', async () => {
  const pool = poolOf();
  const by = pool.proven();
  const sent = pool.call();
  const standing = (of = sent) => pool.uow.run(by.tenantId, (tx) => pool.offering().standing(tx, of));
  expect(await standing()).toBeNull();
  const end = pool.offering().carryOut(sent);
  const offered = { pool: 'builders', standing: { kind: 'open', until: pool.uow.now + 15_000 } };
  expect(await standing()).toEqual(offered);
  expect(await standing({ ...sent, idempotencyKey: `${sent.idempotencyKey}:undo` })).toBeNull();
  const { call } = await takenBy(pool, by);
  expect(await standing()).toEqual({ pool: 'builders', standing: { kind: 'open', until: pool.uow.now + 60_000 } });
  await pool.reporting.result(by, call.id, { ok: true, result: 1 });
  const answer = { ok: true, result: 1 };
  expect(await standing()).toEqual({ pool: 'builders', standing: { kind: 'answered', answer } });
  pool.tell(null);
  await end;
});

it('ends an overdue call of another process', async () => {
  const pool = poolOf();
  const by = pool.proven();
  const [unwanted, silent] = [pool.call(), pool.call()];
  const standing = (of: RunnerCall) => pool.uow.run(by.tenantId, (tx) => pool.offering().standing(tx, of));
  const first = pool.offering().carryOut(silent);
  await takenBy(pool, by);
  const second = pool.offering().carryOut(unwanted);
  await pool.uow.run(by.tenantId, () => Promise.resolve());
  pool.uow.now += 15_000;
  expect(await standing(unwanted)).toMatchObject({ standing: { kind: 'not_taken' } });
  expect(await pool.take(by, { waitMs: 0, held: [] })).toMatchObject({
    value: { call: { sourceId: silent.source.id } },
  });
  pool.uow.now += 45_000;
  const lost = { kind: 'lost', runner: { name: by.runner.name, revoked: false } };
  expect(await standing(silent)).toMatchObject({ standing: lost });
  pool.tell(null);
  expect(await Promise.all([first, second])).toEqual([lost, { kind: 'not_taken' }]);
});

it('bears a database that is away for a moment while a runner works', async () => {
  const pool = poolOf();
  const by = pool.proven();
  let away = 0;
  const uow: UnitOfWork = {
    run: (tenantId, work) => (away-- > 0 ? Promise.reject(new Error('away')) : pool.uow.run(tenantId, work)),
  };
  const end = pool.offering(uow).carryOut(pool.call());
  const { call } = await takenBy(pool, by);
  await pool.reporting.result(by, call.id, { ok: true, result: 1 });
  away = 1;
  passTimers(500);
  pool.tell(pool.topics.moved(call.id));
  expect(await end).toEqual({ kind: 'answered', answer: { ok: true, result: 1 } });
});
