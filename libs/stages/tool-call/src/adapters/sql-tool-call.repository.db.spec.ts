import { digestOf, newId, type ToolCallId, type Tx } from '#lib/kernel';
import { createSessionStore } from '#lib/session';
import { postgresWorld } from '../../../../../test/support/postgres-world.js';
import { testSeals } from '../../../../../test/support/seals.js';
import { StageRows } from '../../../../../test/support/stage-rows.js';
import { sampleSession } from '../../../session/src/application/fake-session.js';
import { sampleProgress, sampleToolCall, sampleUnjudged } from '../application/fake-tool-call.js';
import { describeToolCallRepository } from '../application/tool-call.repository.contract.js';
import type { ToolCall } from '../domain/tool-call.js';
import { TOOL_CALL_TRANSITIONS } from '../domain/tool-call-transitions.js';
import { SqlToolCallRepository } from './sql-tool-call.repository.js';

describeToolCallRepository('SqlToolCallRepository', async () => {
  const world = await postgresWorld();
  const rows = new StageRows(world);
  return {
    world,
    calls: new SqlToolCallRepository(testSeals()),
    newDecision: () => rows.newDecision(),
    newRequest: (tx, callId) =>
      rows.newRequest(tx, { id: callId, environmentId: world.home.production.id }, world.db.systemQuery),
    newSession: async () => {
      const session = sampleSession(world.home);
      await world.uow.run(world.home.tenantId, (tx) => createSessionStore(testSeals()).sessions.insert(tx, session));
      return session.id;
    },
  };
});

it('refuses an allowed call that a login to the database wrote (T42)', async () => {
  const world = await postgresWorld();
  const calls = new SqlToolCallRepository(testSeals());
  const call = sampleToolCall(world.home, { decisionId: await new StageRows(world).newDecision() });
  await world.uow.run(world.home.tenantId, (tx) => calls.insert(tx, call));
  const forged = newId<typeof call.id>();
  await world.db.owner.query(
    `insert into tool_call
     select n.* from tool_call c, jsonb_populate_record(c, jsonb_build_object('id', $1::uuid, 'submitter_number', c.submitter_number + 1)) n where c.id = $2`,
    [forged, call.id],
  );
  await expect(world.uow.run(world.home.tenantId, (tx) => calls.find(tx, forged))).rejects.toMatchObject({
    failure: { code: 'record.not_authentic' },
  });
  await world.close();
});

it('changes more live calls in one transaction than PostgreSQL takes calls of functions in one statement', async () => {
  const world = await postgresWorld();
  const calls = new SqlToolCallRepository(testSeals());
  const inTenant = <T>(work: (tx: Tx) => Promise<T>) => world.uow.run(world.home.tenantId, work);
  const executor = { name: 'fleet', version: 1, digest: digestOf('executor', {}), answeredBy: 'executor' } as const;
  const call = sampleToolCall(world.home, { decisionId: await new StageRows(world).newDecision(), executor });
  const { executing } = sampleProgress(null);
  const live = 1_700;
  await inTenant(async (tx) => {
    for (let kept = 0; kept < live; kept += 1) await calls.insert(tx, { ...call, id: newId<ToolCallId>() });
  });
  await inTenant(async (tx) => {
    for (const locked of await calls.lockLive(tx, { kind: 'tenant' }))
      await calls.save(tx, { ...locked, ...executing });
  });
  const changed = await inTenant((tx) => calls.lockLive(tx, { kind: 'tenant' }));
  expect(changed.filter(({ state }) => state === 'executing')).toHaveLength(live);
  await world.close();
});

it('counts the calls of an hour, without those of a time that a clock set back repeats', async () => {
  const world = await postgresWorld();
  const calls = new SqlToolCallRepository(testSeals());
  const decisionId = await new StageRows(world).newDecision();
  const inTenant = <T>(work: (tx: Tx) => Promise<T>) => world.uow.run(world.home.tenantId, work);
  const now = await inTenant((tx) => tx.now());
  const agent = { kind: 'agent', id: world.home.agent.agentId } as const;
  const inHour = async () => (await inTenant((tx) => calls.lockUse(tx, agent, null))).inHour;
  const asked = async (...minutesAgo: readonly number[]) => {
    for (const minutes of minutesAgo) {
      const askedAt = now - minutes * 60_000;
      await inTenant((tx) => calls.insert(tx, sampleToolCall(world.home, { decisionId, askedAt })));
    }
  };
  await asked(75, 57);
  expect(await inHour()).toBe(1);
  // Set back by a quarter of an hour just then. So the call of 57 minutes ago is missed from now on.
  await asked(72, 58, 40);
  expect(await inHour()).toBe(2);
  // Set back in the middle of the hour, which changes nothing.
  await asked(10, 15, 5);
  expect(await inHour()).toBe(5);
  await world.close();
});

it.each(['tool_call', 'tool_call_unjudged'])('refuses a row of %s with the number of another', async (table) => {
  const world = await postgresWorld();
  const calls = new SqlToolCallRepository(testSeals());
  const [session, decisionId] = [sampleSession(world.home), await new StageRows(world).newDecision()];
  const inTenant = (work: (tx: Tx) => Promise<void>) => world.uow.run(world.home.tenantId, work);
  await inTenant((tx) => createSessionStore(testSeals()).sessions.insert(tx, session));
  const kept = async (members: Partial<Pick<ToolCall, 'submitter' | 'sessionId'>>) => {
    const id = newId<ToolCallId>();
    await inTenant((tx) =>
      table === 'tool_call'
        ? calls.insert(tx, sampleToolCall(world.home, { decisionId, id, ...members }))
        : calls.insertUnjudged(tx, sampleUnjudged(world.home, { id, ...members })),
    );
    return id;
  };
  const again = (id: ToolCallId, members: object) =>
    world.db.owner.query(
      `insert into ${table} select n.* from ${table} c, jsonb_populate_record(c, $1::jsonb) n where c.id = $2`,
      [JSON.stringify({ id: newId(), ...members }), id],
    );
  const { personId: id, credentialId } = world.home.owner;
  const person = { kind: 'person', id, onBehalfOf: null, credentialId } as const;
  for (const [of, members, own] of [
    ['agent', {}, {}],
    ['person', { submitter: person }, {}],
    ['session', { sessionId: session.id }, { submitter_number: 99 }],
  ] as const)
    await expect(again(await kept(members), own)).rejects.toMatchObject({
      code: '23505',
      constraint: `${table}_${of}_number_unique`,
    });
  await world.close();
});

it('holds the same transitions as the domain', async () => {
  const world = await postgresWorld();
  const { rows } = await world.db.owner.query<object>(
    'select from_state as "from", event, to_state as "to" from tool_call_transition',
  );
  const key = (row: object) => JSON.stringify(row);
  expect(rows.map(key).sort()).toEqual(TOOL_CALL_TRANSITIONS.map(key).sort());
  await world.close();
});
