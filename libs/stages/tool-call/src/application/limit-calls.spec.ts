import type { JsonObject } from '#lib/canonical';
import { newId, type CredentialId, type PersonPrincipal, type ToolCallId } from '#lib/kernel';
import { sampleExecutor } from '../../../../registry/tool/src/application/fake-tool.js';
import { TARGETS } from './fake-gate.js';
import { codeOf, inSession, OPEN, TIERS } from './fake-session-gate.js';
import type { ToolCallQuestion } from './submit-tool-call.js';

describe('a turn', () => {
  it('has room for the calls of its session, denied ones included, and the next turn has its own', async () => {
    const { submit } = await inSession({ callsPerTurn: 2 });
    const call = (turnId: string, more: Partial<ToolCallQuestion> = {}) => submit({ turnId, ...more });
    expect(codeOf(await call('one'))).toBe('ok');
    expect(codeOf(await call('one', { tool: 'shell', arguments: { line: 'sudo ls' }, clientCallId: 'mine' }))).toBe(
      'ok',
    );
    expect(await call('one')).toMatchObject({
      error: {
        kind: 'rate_limited',
        code: 'tool_call.turn_full',
        message: 'The turn one has made its 2 calls.',
        retryAfterSeconds: 1,
      },
    });
    expect(codeOf(await call('two'))).toBe('ok');
    // A replay is no further call.
    expect(codeOf(await call('one', { tool: 'shell', arguments: { line: 'sudo ls' }, clientCallId: 'mine' }))).toBe(
      'ok',
    );
  });

  it('without a name is the calls in flight together', async () => {
    const { gate, submit, asked, lead } = await inSession({ callsPerTurn: 2 });
    const first = await asked({ tool: 'label', arguments: TARGETS });
    await asked({ tool: 'label', arguments: { targets: ['another'] } });
    expect(codeOf(await submit())).toBe('tool_call.turn_full');
    await gate.review(lead, first, 'reject');
    expect(codeOf(await submit())).toBe('ok');
  });

  it('T09: cannot be left by another name: so many calls of the session are in flight at most', async () => {
    const { gate, submit, asked, lead } = await inSession({ callsPerTurn: 2 });
    const label = (target: string) => ({ tool: 'label', arguments: { targets: [target] }, turnId: `turn ${target}` });
    const first = await asked(label('1'));
    await asked(label('2'));
    expect(await submit(label('3'))).toMatchObject({
      error: {
        code: 'tool_call.turn_full',
        message: '2 calls of this session are in flight, which is the most at once.',
      },
    });
    await gate.review(lead, first, 'reject');
    expect(codeOf(await submit(label('3')))).toBe('ok');
  });

  it('that is full is on record once in ten minutes, so that refusals cannot flood the log', async () => {
    const { gate, submit, session } = await inSession({ callsPerTurn: 1 });
    const entries = () => gate.audited().filter(({ action }) => action === 'tool_call.limited');
    await submit({ turnId: 'one' });
    for (let count = 0; count < 5; count += 1) await submit({ turnId: 'one' });
    const subject = { type: 'session', id: session.id };
    expect(entries()).toMatchObject([
      {
        actor: { kind: 'agent', id: gate.home.agent.agentId },
        subject,
        within: [subject],
        payload: { code: 'tool_call.turn_full', turn_id: 'one', calls_per_turn: 1 },
      },
    ]);
    gate.uow.now += 10 * 60_000;
    await submit({ turnId: 'one' });
    expect(entries()).toHaveLength(2);
  });

  it.each([
    ['in a session of the usual kind', {}],
    ['outside sessions', { context: { environment: 'staging' } }],
  ])('has eight calls %s', async (_where, context) => {
    const { submit } = await inSession();
    const codes: string[] = [];
    for (let count = 0; count < 9; count += 1) codes.push(codeOf(await submit({ turnId: 'one', ...context })));
    expect(codes).toEqual([...Array<string>(8).fill('ok'), 'tool_call.turn_full']);
    expect(codeOf(await submit({ turnId: 'two', ...context }))).toBe('ok');
  });
});

describe('outside sessions', () => {
  const OUTSIDE = { context: { environment: 'staging' } };
  const label = (target: string) => ({ ...OUTSIDE, tool: 'label', arguments: { targets: [target] } });

  it('T09: so many calls of an agent are in flight at most, as the tenant says', async () => {
    const { gate, submit, asked, lead } = await inSession();
    await gate.put(OPEN.replace('plan_only', 'plan_only\n  calls_per_turn: 2'), 3);
    const [first] = [await asked(label('1')), await asked({ ...label('2'), turnId: 'mine' })];
    expect(await submit({ ...label('3'), turnId: 'another' })).toMatchObject({
      error: {
        kind: 'rate_limited',
        code: 'tool_call.turn_full',
        message: '2 of your calls outside sessions are in flight, which is the most at once.',
        details: { calls_per_turn: 2 },
        retryAfterSeconds: 1,
      },
    });
    // Neither a session nor another caller is bounded by them.
    expect(codeOf(await submit())).toBe('ok');
    expect(codeOf(await gate.submitted(gate.running(gate.home.owner), label('4')))).toBe('ok');
    const subject = { type: 'agent', id: gate.home.agent.agentId };
    expect(gate.audited().filter(({ action }) => action === 'tool_call.limited')).toMatchObject([
      { subject, within: [], payload: { code: 'tool_call.turn_full', turn_id: 'another', calls_per_turn: 2 } },
    ]);
    await gate.review(lead, first, 'reject');
    expect(codeOf(await submit(label('3')))).toBe('ok');
  });

  it('a turn has room again after an hour', async () => {
    const { gate, submit } = await inSession();
    await gate.put(OPEN.replace('plan_only', 'plan_only\n  calls_per_turn: 1'), 3);
    const call = async () => codeOf(await submit({ ...OUTSIDE, turnId: 'one' }));
    expect([await call(), await call()]).toEqual(['ok', 'tool_call.turn_full']);
    gate.uow.now += 3_600_000;
    expect(await call()).toBe('ok');
  });
});

describe('the budget of a session', () => {
  it('is spent by calls of all turns, denied ones too, and by no replay', async () => {
    const { gate, submit } = await inSession({ callBudget: 2 });
    const denied = { tool: 'shell', arguments: { line: 'sudo ls' }, turnId: 'one' };
    const named = { ...denied, clientCallId: 'mine', turnId: 'two' };
    for (const question of [denied, named, named, named]) expect(codeOf(await submit(question))).toBe('ok');
    expect(await submit({ turnId: 'three' })).toMatchObject({
      error: { kind: 'conflict', code: 'session.budget_spent', details: { call_budget: 2 } },
    });
    expect(codeOf(await submit(named))).toBe('ok');
    await submit({ turnId: 'four' });
    expect(gate.audited().filter(({ action }) => action === 'tool_call.limited')).toMatchObject([
      { payload: { code: 'session.budget_spent', turn_id: 'three', call_budget: 2 } },
    ]);
  });
});

it('a lower tenant budget holds for open sessions from the next call on, and a higher one adds nothing', async () => {
  const { gate, submit } = await inSession({ callBudget: 3 });
  const budget = (calls: number, revision: number) =>
    gate.put(OPEN.replace('plan_only', `plan_only\n  calls_per_session: ${String(calls)}`), revision);
  expect(codeOf(await submit())).toBe('ok');
  await budget(1, 3);
  expect(await submit()).toMatchObject({ error: { code: 'session.budget_spent', details: { call_budget: 1 } } });
  await budget(100, 4);
  expect([codeOf(await submit()), codeOf(await submit())]).toEqual(['ok', 'ok']);
  expect(await submit()).toMatchObject({ error: { code: 'session.budget_spent', details: { call_budget: 3 } } });
});

it('a command with other rights is rejected, in its answer, in the list and on record', async () => {
  const { gate, shell, session } = await inSession();
  const answer = await shell('sudo ls');
  const word = { state: 'denied', decidedAs: 'rejected' };
  expect(answer).toMatchObject({ ...word, denial: null, decision: { outcome: 'deny' } });
  expect(await gate.get(gate.running(gate.home.agent), answer)).toEqual({ ok: true, value: answer });
  expect(await gate.list(gate.home.agent, session)).toMatchObject({ value: { calls: [{ call: word }] } });
  await shell('rm -rf /');
  const words = gate.audited().map(({ payload }) => (payload as JsonObject).decided_as);
  expect(words).toEqual(['rejected', 'denied']);
});

describe('a call that lacks a fact', () => {
  const UNKNOWN = { tool: 'never' };

  it('has a part of the budget, of its turn and of the hour, and a repetition has none', async () => {
    const { gate, submit, session } = await inSession({ callBudget: 3, callsPerTurn: 2 });
    const named = { ...UNKNOWN, clientCallId: 'mine', turnId: 'one' };
    const unfit = { arguments: { targets: 7 }, turnId: 'one' };
    for (const question of [named, named, unfit, named]) expect(codeOf(await submit(question))).toBe('ok');
    expect(codeOf(await submit({ turnId: 'one' }))).toBe('tool_call.turn_full');
    expect(codeOf(await submit({ turnId: 'two' }))).toBe('ok');
    expect(codeOf(await submit({ turnId: 'three' }))).toBe('session.budget_spent');
    await gate.put(OPEN.replace('plan_only', 'plan_only\n  calls_per_hour: 3'), 3);
    const refused = await submit({ context: { environment: 'staging' } });
    expect(refused).toMatchObject({ error: { code: 'tool_call.budget_spent', retryAfterSeconds: 3_600 } });
    expect(await gate.made(session)).toBe(3);
  });

  it('outside sessions has a part of its turn and of the hour', async () => {
    const { gate, submit } = await inSession();
    await gate.put(OPEN.replace('plan_only', 'plan_only\n  calls_per_turn: 2\n  calls_per_hour: 3'), 3);
    const outside = (environment: string, turnId: string) =>
      submit({ ...UNKNOWN, context: { environment }, turnId }).then(codeOf);
    expect([await outside('staging', 'one'), await outside('nowhere', 'one')]).toEqual(['ok', 'ok']);
    expect(await outside('staging', 'one')).toBe('tool_call.turn_full');
    expect([await outside('staging', 'two'), await outside('staging', 'two')]).toEqual([
      'ok',
      'tool_call.budget_spent',
    ]);
  });
});

describe('a line that no executor could execute', () => {
  it('is a call like any denied one: it has a row, an answer by its name, and budget used', async () => {
    const { gate, submit } = await inSession({ callBudget: 1 });
    const executor = sampleExecutor(gate.home.staging);
    await gate.atHome((tx) =>
      gate.stores.executors.save(tx, gate.home.staging.id, executor, gate.home.admin.personId, 1),
    );
    const loop = { tool: 'shell', arguments: { line: 'while true; do ls; done' }, clientCallId: 'loop' };
    const first = await submit(loop);
    expect(first).toMatchObject({
      value: { state: 'denied', decidedAs: 'denied', decision: { reasons: [{ code: 'shell.not_executable' }] } },
    });
    expect(await submit(loop)).toEqual(first);
    expect(gate.audited()).toHaveLength(1);
    expect(codeOf(await submit({ turnId: 'next' }))).toBe('session.budget_spent');
  });
});

describe('the budget of an agent', () => {
  it('holds for an hour, in all its sessions and outside them', async () => {
    const { gate, submit, session } = await inSession();
    await gate.put(OPEN.replace('plan_only', 'plan_only\n  calls_per_hour: 3'), 3);
    const other = await gate.opened({ autonomy: TIERS });
    const [first, minute] = [gate.uow.now, 60_000];
    expect(codeOf(await submit())).toBe('ok');
    gate.uow.now += minute;
    expect(codeOf(await submit({ context: { sessionId: other.id }, clientCallId: 'mine' }))).toBe('ok');
    await gate.ask();
    const spent = { kind: 'rate_limited', code: 'tool_call.budget_spent', details: { calls_per_hour: 3 } };
    expect(await submit()).toMatchObject({ error: { ...spent, retryAfterSeconds: 3_540 } });
    expect(await submit({ context: { environment: 'staging' } })).toMatchObject({ error: spent });
    expect(codeOf(await submit({ context: { sessionId: other.id }, clientCallId: 'mine' }))).toBe('ok');
    expect(codeOf(await gate.submitted(gate.running(gate.home.owner), {}))).toBe('ok');
    const subject = { type: 'agent', id: gate.home.agent.agentId };
    expect(gate.audited().filter(({ action }) => action === 'tool_call.limited')).toMatchObject([
      { subject, within: [{ type: 'session', id: session.id }], payload: { code: 'tool_call.budget_spent' } },
    ]);
    gate.uow.now = first + 60 * minute;
    expect(codeOf(await submit())).toBe('ok');
  });
});

it('a lower budget of an hour waits for as many calls as are beyond it', async () => {
  const { gate, submit } = await inSession();
  const first = gate.uow.now;
  for (const minute of [0, 1, 2]) {
    gate.uow.now = first + minute * 60_000;
    expect(codeOf(await submit())).toBe('ok');
  }
  await gate.put(OPEN.replace('plan_only', 'plan_only\n  calls_per_hour: 2'), 3);
  // Until the second call counts no more: an hour from its minute.
  expect(await submit()).toMatchObject({ error: { code: 'tool_call.budget_spent', retryAfterSeconds: 3_540 } });
});

it('T55: the budget of an hour holds for a person over all their tokens, and not in a browser', async () => {
  const { gate } = await inSession();
  await gate.put(OPEN.replace('plan_only', 'plan_only\n  calls_per_hour: 2'), 3);
  const { owner } = gate.home;
  const call = async (members: Partial<PersonPrincipal>) =>
    codeOf(await gate.submitted(gate.running({ ...owner, ...members }), {}));
  const laptop = { credentialKind: 'person_token', credentialId: newId<CredentialId>() } as const;
  const other = { credentialKind: 'issuer_token', credentialId: newId<CredentialId>() } as const;
  expect([await call(laptop), await call(other), await call(laptop)]).toEqual(['ok', 'ok', 'tool_call.budget_spent']);
  expect(await call({ credentialKind: 'browser_session' })).toBe('ok');
  const subject = { type: 'person', id: owner.personId };
  expect(gate.audited().filter(({ action }) => action === 'tool_call.limited')).toMatchObject([{ subject }]);
  gate.uow.now += 3_600_000;
  expect(await call(laptop)).toBe('ok');
});

it('is a thousand calls in an hour without a word of the tenant', async () => {
  const { gate, submit } = await inSession({ callBudget: 2_000 });
  const first = await gate.call(await gate.ask('look', 'staging'));
  if (first === null) throw new Error('the call is not kept');
  const more = async (count: number) =>
    gate.atHome(async (tx) => {
      for (let index = 0; index < count; index += 1) await gate.calls.insert(tx, { ...first, id: newId<ToolCallId>() });
    });
  await more(998);
  expect(codeOf(await submit())).toBe('ok');
  expect(await submit()).toMatchObject({
    error: { code: 'tool_call.budget_spent', details: { calls_per_hour: 1_000 }, retryAfterSeconds: 3_600 },
  });
});
