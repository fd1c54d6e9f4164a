import { newId, type AgentId, type Principal } from '#lib/kernel';
import { claimsOf } from '../../../../registry/dispatch/src/application/fake-grants.js';
import { ALLOWED_FOR_MS } from '../domain/tool-call.js';
import { executionWorld } from './fake-execution-world.js';
import { LEASE_MARGIN_MS } from './fake-tool-calls.js';
import type { ToolCallReport } from './report-tool-call.js';

const DONE = { kind: 'succeeded', result: { read: 4 } } as const;

/** A call that its agent has taken. */
async function taken() {
  const world = await executionWorld();
  const call = await world.allowed('agent');
  const { answer: shown, granted } = await world.take(world.agent, call.id);
  if (granted === null) throw new Error('no grant came');
  const right = { jti: call.id as string, argumentsDigest: call.argumentsDigest as string, outcome: DONE };
  const answer = (changes: Partial<ToolCallReport> = {}, by: Principal = world.agent) =>
    world.report.execute(by, call.id, { ...right, ...changes });
  const report = async (...given: Parameters<typeof answer>) => {
    const result = await answer(...given);
    return result.ok ? result.value.state : result.error.code;
  };
  return { ...world, call, shown, granted, answer, report };
}

describe('a call that its agent makes', () => {
  it('is executing once the agent has its grant, and the grant is the same when it is asked for again', async () => {
    const { call, shown, granted, find, take, agent, home, uow, dispatcher, work } = await taken();
    expect(claimsOf(granted.grant)).toMatchObject({
      jti: call.id,
      source: { type: 'tool_call', id: call.id },
      step: call.id,
      basis: 'policy',
      plan_digest: null,
      arguments_digest: call.argumentsDigest,
    });
    expect(await find(call)).toMatchObject({
      state: 'executing',
      attempt: 1,
      leaseUntil: uow.now + 30_000 + LEASE_MARGIN_MS,
    });
    expect(shown).toMatchObject({
      state: 'executing',
      decisionId: call.decisionId,
      execution: { attempt: 1, leaseUntil: uow.now + 30_000 + LEASE_MARGIN_MS },
    });
    expect(claimsOf((await take(agent, call.id)).granted?.grant ?? '')).toEqual(claimsOf(granted.grant));
    expect(await take({ ...agent, agentId: newId<AgentId>() }, call.id)).toMatchObject({ granted: null });
    expect(await take({ ...agent, scopes: ['read'] }, call.id)).toMatchObject({ granted: null });
    expect(await take(home.owner, call.id)).toMatchObject({ granted: null });
    await work(call);
    expect(dispatcher.orders).toEqual([]);
  });

  it('is not handed out after its time, or if Countersign sends it', async () => {
    const world = await executionWorld();
    const [late, sent] = [await world.allowed('agent'), await world.allowed('executor')];
    expect(await world.take(world.agent, sent.id)).toMatchObject({ granted: null });
    world.uow.now += ALLOWED_FOR_MS;
    expect(await world.take(world.agent, late.id)).toMatchObject({ granted: null, answer: { state: 'allowed' } });
    await world.work(late);
    expect(await world.find(late)).toMatchObject({ state: 'expired' });
  });

  it('has no grant without an executor, and takes neither a report nor output', async () => {
    const world = await executionWorld();
    const call = await world.allowed('agent', { executor: null });
    expect(await world.take(world.agent, call.id)).toMatchObject({ granted: null });
    const report = { jti: call.id, argumentsDigest: call.argumentsDigest, outcome: DONE };
    const refused = { error: { kind: 'conflict', code: 'tool_call.no_executor' } };
    expect(await world.report.execute(world.agent, call.id, report)).toMatchObject(refused);
    const chunk = { stream: 'stdout', text: 'one line' } as const;
    expect(await world.append.execute(world.agent, call.id, 1, [chunk])).toMatchObject(refused);
  });

  it('is not handed out if its tool has changed', async () => {
    const world = await executionWorld();
    const call = await world.allowed('agent');
    await world.saveTool({ description: 'Another.' }, 2);
    expect(await world.take(world.agent, call.id)).toMatchObject({
      granted: null,
      answer: { state: 'denied', decidedAs: 'cancelled', denial: { code: 'tool_call.facts_changed' } },
    });
    expect(await world.find(call)).toMatchObject({ state: 'denied', denial: { code: 'tool_call.facts_changed' } });
  });

  it('is finished by one report, marked as unverified', async () => {
    const { answer, report, find, call, audited, agent } = await taken();
    expect(await answer()).toMatchObject({
      value: { state: 'succeeded', decisionId: call.decisionId, execution: { result: DONE.result } },
    });
    expect(await find(call)).toMatchObject({ state: 'succeeded', result: DONE.result });
    expect(audited().at(-1)).toMatchObject({
      action: 'tool_call.succeeded',
      actor: { kind: 'agent', id: agent.agentId },
      payload: { unverified: true, result: DONE.result },
    });
    const failed = { kind: 'failed', effect: 'done', error: { code: 'x', message: 'It failed.' } } as const;
    expect(await report({ outcome: failed })).toBe('tool_call.already_reported');
  });

  it.each<[ToolCallReport['outcome']]>([
    [DONE],
    [{ kind: 'failed', effect: 'done', error: { code: 'x', message: 'It failed.' } }],
    [{ kind: 'unknown', error: { code: 'x', message: 'It threw.' } }],
    [{ kind: 'succeeded', result: { token: `ghp_${'a1B2c3D4e5F6'.repeat(3)}` } }],
  ])('is finished as before by the same report once more, whose first answer was lost: %j', async (outcome) => {
    const { report, find, call, audited, uow } = await taken();
    expect(await report({ outcome })).toBe(outcome.kind);
    const [first, entries] = [await find(call), audited().length];
    uow.now += 1_000;
    expect(await report({ outcome })).toBe(outcome.kind);
    expect([await find(call), audited().length]).toEqual([first, entries]);
  });

  it('T08: takes no report of another agent, under another grant or about other arguments', async () => {
    const { report, find, call, agent, home } = await taken();
    expect(await report({}, { ...agent, agentId: newId<AgentId>() })).toBe('resource.not_found');
    expect(await report({}, home.owner)).toBe('tool_call.not_yours');
    expect(await report({ jti: newId() })).toBe('tool_call.grant_differs');
    expect(await report({ argumentsDigest: 'sha256:00' })).toBe('tool_call.arguments_differ');
    expect(await find(call)).toMatchObject({ state: 'executing' });
  });

  it('T27: is unknown without a report in time, and a late one is only kept', async () => {
    const { report, find, call, uow, work, audited } = await taken();
    uow.now += 30_000 + LEASE_MARGIN_MS;
    expect(await report()).toBe('tool_call.late');
    await work(call);
    expect(await report()).toBe('tool_call.late');
    expect(await find(call)).toMatchObject({ state: 'unknown', error: { code: 'tool_call.no_answer' } });
    expect(audited().filter(({ action }) => action === 'tool_call.late_answer')).toHaveLength(2);
  });
});
