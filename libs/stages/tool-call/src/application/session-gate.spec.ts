import type { JsonObject } from '#lib/canonical';
import { newId, type CredentialId, type PersonPrincipal, type Principal, type ToolCallId } from '#lib/kernel';
import type { Session } from '#lib/session';
import { definitionText, sampleExecutor, sampleTool } from '../../../../registry/tool/src/application/fake-tool.js';
import { codesOf, fakeGate, LABEL, TARGETS } from './fake-gate.js';
import type { ToolCallQuestion } from './submit-tool-call.js';
import type { ToolCallAnswer } from './tool-call-answer.js';

const TIERS = { preset: 'tiers', level: 'SUPERVISED', mode: 'ask-on-write' } as const;
const CAUTIOUS = { ...TIERS, preset: 'cautious' } as const;
/** Staging without an approval of its own: only the session asks. */
const OPEN = 'autonomy:\n  mode: plan_only\n  environments:\n    staging:\n      mode: full_auto\n';

/** Only the session asks, and a lead answers. */
const LEADS = `${OPEN}      allowed_approvers: [SRELead]\n`;

type Gate = Awaited<ReturnType<typeof fakeGate>>;

const codeOf = (result: { readonly ok: boolean } & { readonly error?: { readonly code: string } }): string =>
  result.error?.code ?? 'ok';

/** A session in which only the preset asks, and its calls. */
async function inSession(members: Partial<Session> = {}) {
  const gate = await fakeGate();
  await gate.put(OPEN, 2);
  const session = await gate.opened({ autonomy: TIERS, ...members });
  const submit = (question: Partial<ToolCallQuestion> = {}) =>
    gate.submitted(gate.running(gate.home.agent), { place: { sessionId: session.id }, ...question });
  const asked = async (question: Partial<ToolCallQuestion>): Promise<ToolCallAnswer> => {
    const answer = await submit(question);
    if (!answer.ok) throw new Error(answer.error.code);
    return answer.value;
  };
  const shell = (line: string) => asked({ tool: 'shell', arguments: { line } });
  return { gate, session, submit, asked, shell, lead: gate.person('SRELead') };
}

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

  it('without a name is what is in flight at once', async () => {
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
    ['outside sessions', { place: { environment: 'staging' } }],
  ])('has eight calls %s', async (_where, place) => {
    const { submit } = await inSession();
    const codes: string[] = [];
    for (let count = 0; count < 9; count += 1) codes.push(codeOf(await submit({ turnId: 'one', ...place })));
    expect(codes).toEqual([...Array<string>(8).fill('ok'), 'tool_call.turn_full']);
    expect(codeOf(await submit({ turnId: 'two', ...place }))).toBe('ok');
  });
});

describe('outside sessions', () => {
  const OUTSIDE = { place: { environment: 'staging' } };
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

it('a lower budget of the tenant holds for open sessions from the next call on, and a higher one gives them nothing', async () => {
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
    const refused = await submit({ place: { environment: 'staging' } });
    expect(refused).toMatchObject({ error: { code: 'tool_call.budget_spent', retryAfterSeconds: 3_600 } });
    expect(await gate.made(session)).toBe(3);
  });

  it('outside sessions has a part of its turn and of the hour', async () => {
    const { gate, submit } = await inSession();
    await gate.put(OPEN.replace('plan_only', 'plan_only\n  calls_per_turn: 2\n  calls_per_hour: 3'), 3);
    const outside = (environment: string, turnId: string) =>
      submit({ ...UNKNOWN, place: { environment }, turnId }).then(codeOf);
    expect([await outside('staging', 'one'), await outside('nowhere', 'one')]).toEqual(['ok', 'ok']);
    expect(await outside('staging', 'one')).toBe('tool_call.turn_full');
    expect([await outside('staging', 'two'), await outside('staging', 'two')]).toEqual([
      'ok',
      'tool_call.budget_spent',
    ]);
  });
});

describe('a line that no executor could execute', () => {
  it('is a call like any denied one: it has a row, the same answer by its name, and a part of the budget', async () => {
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
    expect(codeOf(await submit({ place: { sessionId: other.id }, clientCallId: 'mine' }))).toBe('ok');
    await gate.ask();
    const spent = { kind: 'rate_limited', code: 'tool_call.budget_spent', details: { calls_per_hour: 3 } };
    expect(await submit()).toMatchObject({ error: { ...spent, retryAfterSeconds: 3_540 } });
    expect(await submit({ place: { environment: 'staging' } })).toMatchObject({ error: spent });
    expect(codeOf(await submit({ place: { sessionId: other.id }, clientCallId: 'mine' }))).toBe('ok');
    expect(codeOf(await gate.submitted(gate.running(gate.home.owner), {}))).toBe('ok');
    const subject = { type: 'agent', id: gate.home.agent.agentId };
    expect(gate.audited().filter(({ action }) => action === 'tool_call.limited')).toMatchObject([
      { subject, within: [{ type: 'session', id: session.id }], payload: { code: 'tool_call.budget_spent' } },
    ]);
    gate.uow.now = first + 60 * minute;
    expect(codeOf(await submit())).toBe('ok');
  });
});

it('T55: the budget of an hour holds for a person with a token, by all of them, and for nobody in a browser', async () => {
  const { gate } = await inSession();
  await gate.put(OPEN.replace('plan_only', 'plan_only\n  calls_per_hour: 2'), 3);
  const { owner } = gate.home;
  const call = async (members: Partial<PersonPrincipal>) =>
    codeOf(await gate.submitted(gate.running({ ...owner, ...members }), {}));
  const laptop = { credentialKind: 'person_token', credentialId: newId<CredentialId>() } as const;
  const other = { credentialKind: 'issuer_token', credentialId: newId<CredentialId>() } as const;
  expect([await call(laptop), await call(other), await call(laptop)]).toEqual(['ok', 'ok', 'tool_call.budget_spent']);
  expect(await call({ credentialKind: 'session' })).toBe('ok');
  const subject = { type: 'person', id: owner.personId };
  expect(gate.audited().filter(({ action }) => action === 'tool_call.limited')).toMatchObject([{ subject }]);
  gate.uow.now += 3_600_000;
  expect(await call(laptop)).toBe('ok');
});

it('is a thousand calls in an hour without a word of the tenant', async () => {
  const { gate, submit } = await inSession({ callBudget: 2_000 });
  const first = await gate.call(await gate.ask('look', 'staging'));
  if (first === undefined) throw new Error('the call is not kept');
  const more = async (count: number) =>
    gate.atHome(async (tx) => {
      for (let place = 0; place < count; place += 1) await gate.calls.insert(tx, { ...first, id: newId<ToolCallId>() });
    });
  await more(998);
  expect(codeOf(await submit())).toBe('ok');
  expect(await submit()).toMatchObject({
    error: { code: 'tool_call.budget_spent', details: { calls_per_hour: 1_000 }, retryAfterSeconds: 3_600 },
  });
});

describe('a session with an answer that takes longer than it may rest', () => {
  it.each([
    ['approve', { always: true }, 'allowed'],
    ['reject', {}, 'denied'],
  ] as const)('is open for it, and for the next call: %s', async (verdict, more, state) => {
    const { gate, submit, asked } = await inSession({ idleSeconds: 60, approvalSeconds: 600 });
    await gate.put(LEADS, 3);
    const answer = await asked({ tool: 'label', arguments: TARGETS });
    gate.uow.now += 300_000;
    expect(codeOf(await submit())).toBe('ok');
    gate.uow.now += 200_000;
    expect(codeOf(await gate.review(gate.person('SRELead'), answer, verdict, more))).toBe('ok');
    expect(await gate.call(answer)).toMatchObject({ state });
    gate.uow.now += 59_999;
    expect(codeOf(await submit())).toBe('ok');
    gate.uow.now += 60_000;
    expect(codeOf(await submit())).toBe('session.ended');
  });
});

describe('an "always"', () => {
  it('lets later calls of this shape through, each on record as trusted', async () => {
    const { gate, shell, lead } = await inSession();
    const first = await shell('rm build/a');
    expect(first).toMatchObject({ state: 'pending' });
    expect(codeOf(await gate.review(lead, first, 'approve', { always: true }))).toBe('ok');
    const later = await shell('rm build/b');
    expect(later).toMatchObject({ state: 'allowed', decidedAs: 'trusted', requestId: null });
    expect(codesOf(later)).toContain('session.trusted');
    expect(gate.audited().at(-1)).toMatchObject({
      action: 'tool_call.decided',
      payload: { decided_as: 'trusted', trust_id: expect.stringMatching(/-/) as string },
    });
    expect(gate.audited().map(({ action }) => action)).toContain('session.trusted');
    expect(await shell('rm -r build/b')).toMatchObject({ state: 'pending' });
    expect(await shell('touch build/b')).toMatchObject({ state: 'pending' });
  });

  it.each(['its maker with a token', 'an agent that acts for its maker'])(
    'T03: covers no call of %s',
    async (whose) => {
      const gate = await fakeGate();
      await gate.put(OPEN, 2);
      const [lead, ben] = [gate.person('SRELead'), gate.person('SRELead')];
      const openedBy = {
        kind: 'person',
        id: lead.personId,
        credentialId: lead.credentialId,
        onBehalfOf: null,
      } as const;
      const session = await gate.opened({ autonomy: TIERS, openedBy });
      const rm = async (by: Principal, name: string): Promise<ToolCallAnswer> => {
        const question = { place: { sessionId: session.id }, tool: 'shell', arguments: { line: `rm build/${name}` } };
        const answer = await gate.submitted(gate.running(by), question);
        if (!answer.ok) throw new Error(answer.error.code);
        return answer.value;
      };
      const { agent } = gate.home;
      const own: Principal = whose.startsWith('an agent')
        ? { ...agent, onBehalfOf: lead.personId }
        : { ...lead, credentialKind: 'person_token' };
      await gate.review(lead, await rm(agent, 'a'), 'approve', { always: true });
      const second = await rm(own, 'b');
      expect(second).toMatchObject({ state: 'pending', decidedAs: null });
      expect(await rm(agent, 'c')).toMatchObject({ state: 'allowed', decidedAs: 'trusted' });
      // The answer of somebody else is another "always".
      expect(codeOf(await gate.review(ben, second, 'approve', { always: true }))).toBe('ok');
      expect(await rm(own, 'd')).toMatchObject({ state: 'allowed', decidedAs: 'trusted' });
    },
  );

  it.each<[string, (gate: Gate, lead: PersonPrincipal) => unknown]>([
    ['is disabled', (gate, lead) => gate.stands(lead, { disabled: true })],
    ['was signed out', (gate, lead) => gate.signOut(lead)],
    ['lost the role that answers', (gate, lead) => gate.stands(lead, { roles: [] })],
    ['may answer here no more', (gate) => gate.put(`${OPEN}      allowed_approvers: [SRE]\n`, 4)],
    ['proved no second factor, which is asked for now', (gate) => gate.put(`${LEADS}      require_mfa: true\n`, 4)],
  ])('T06: covers nothing once its maker %s, and the next person may say it anew', async (_why, change) => {
    const { gate, shell, lead } = await inSession();
    await gate.put(LEADS, 3);
    await gate.review(lead, await shell('rm build/a'), 'approve', { always: true });
    expect(await shell('rm build/b')).toMatchObject({ state: 'allowed', decidedAs: 'trusted' });
    await change(gate, lead);
    expect(await shell('rm build/c')).toMatchObject({ state: 'pending', decidedAs: null });
    await gate.put(LEADS, 5);
    const again = await shell('rm build/d');
    if (again.state === 'pending')
      expect(codeOf(await gate.review(gate.person('SRELead'), again, 'approve', { always: true }))).toBe('ok');
    expect(await shell('rm build/e')).toMatchObject({ state: 'allowed', decidedAs: 'trusted' });
  });

  it('T06: covers calls still if the second factor that is asked for was proved for it', async () => {
    const { gate, shell, lead } = await inSession();
    await gate.put(LEADS, 3);
    const first = await shell('rm build/a');
    const step_up_id = await gate.proofOf(lead, first, { always: true });
    expect(codeOf(await gate.review(lead, first, 'approve', { always: true, step_up_id }))).toBe('ok');
    await gate.put(`${LEADS}      require_mfa: true\n`, 4);
    expect(await shell('rm build/b')).toMatchObject({ state: 'allowed', decidedAs: 'trusted' });
  });

  it.each(['version of the tool', 'version of the executor'])('T01: covers no call of another %s', async (what) => {
    const { gate, asked, lead } = await inSession();
    const { staging, admin } = gate.home;
    const other = sampleTool('label', { ...LABEL, description: 'Does more.' }, 2);
    const executor = sampleExecutor(staging);
    const label = () => asked({ tool: 'label', arguments: TARGETS });
    const put = (version: number) =>
      gate.atHome((tx) =>
        what.endsWith('tool')
          ? gate.stores.tools.addVersion(tx, other, definitionText(other.definition), admin.personId, version)
          : gate.stores.executors.save(
              tx,
              staging.id,
              sampleExecutor(staging, { ...executor, version, url: `https://${String(version)}.example.com` }),
              admin.personId,
              version,
            ),
      );
    if (what.endsWith('executor')) await put(1);
    await gate.review(lead, await label(), 'approve', { always: true });
    expect(await label()).toMatchObject({ state: 'allowed', decidedAs: 'trusted' });
    await put(2);
    const again = await label();
    expect(again).toMatchObject({ state: 'pending' });
    expect(codeOf(await gate.review(lead, again, 'approve', { always: true }))).toBe('ok');
    expect(await label()).toMatchObject({ state: 'allowed', decidedAs: 'trusted' });
  });

  it('covers other tools by the values that identify their calls', async () => {
    const { gate, asked, lead } = await inSession();
    const label = (targets: string[]) => asked({ tool: 'label', arguments: { targets } });
    await gate.review(lead, await label(['a']), 'approve', { always: true });
    expect(await label(['a'])).toMatchObject({ state: 'allowed', decidedAs: 'trusted' });
    expect(await label(['a', 'b'])).toMatchObject({ state: 'pending' });
  });

  it('holds in its session alone, and is none of a call that asks nobody', async () => {
    const { gate, shell, lead, session } = await inSession();
    await gate.review(lead, await shell('rm build/a'), 'approve', { always: true });
    expect(await shell('ls build')).toMatchObject({ state: 'allowed', decidedAs: 'auto_approved' });
    const other = await gate.opened({ autonomy: session.autonomy });
    const elsewhere = await gate.submitted(gate.running(gate.home.agent), {
      place: { sessionId: other.id },
      tool: 'shell',
      arguments: { line: 'rm build/a' },
    });
    expect(elsewhere).toMatchObject({ value: { state: 'pending' } });
  });

  it('is refused if the autonomy document asks, too, and outside a session', async () => {
    const { gate, asked, lead } = await inSession();
    await gate.put(`${OPEN}      require_approval: true\n      allowed_approvers: [SRELead]\n`, 3);
    const both = await asked({ tool: 'label', arguments: TARGETS });
    const alone = await gate.ask('shell', 'staging', { line: 'rm build/a' });
    for (const answer of [both, alone]) {
      expect(codeOf(await gate.review(lead, answer, 'approve', { always: true }))).toBe('review.always_not_here');
      expect(await gate.call(answer)).toMatchObject({ state: 'pending' });
    }
  });

  it('wants a proof of its own: one for this call alone does not say always, and the other way round', async () => {
    const { gate, shell, lead } = await inSession();
    const answer = await shell('rm build/a');
    const alone = await gate.proofOf(lead, answer);
    const always = await gate.proofOf(lead, answer, { always: true });
    const given = (step_up_id: string, more: object = {}) =>
      gate.review(lead, answer, 'approve', { step_up_id, ...more });
    expect(codeOf(await given(alone, { always: true }))).toBe('mfa.other_operation');
    expect(codeOf(await given(always))).toBe('mfa.other_operation');
    expect(await gate.call(answer)).toMatchObject({ state: 'pending' });
    expect(codeOf(await given(always, { always: true }))).toBe('ok');
    expect(gate.audited().find(({ action }) => action === 'review.submitted')?.payload).toMatchObject({
      verdict: 'approve',
      always: true,
    });
  });

  it('about an ordinary write covers no write of code, and none is given for one (T52)', async () => {
    const { gate, asked, lead } = await inSession();
    const write = (path: string) => asked({ tool: 'write-file', arguments: { host: 'a', path } });
    expect(codeOf(await gate.review(lead, await write('a.txt'), 'approve', { always: true }))).toBe('ok');
    expect(await write('b.txt')).toMatchObject({ state: 'allowed', decidedAs: 'trusted' });
    const code = await write('.git/hooks/pre-commit');
    expect(code).toMatchObject({ state: 'pending' });
    expect(codeOf(await gate.review(lead, code, 'approve', { always: true }))).toBe('tool_call.no_shape');
    expect(codeOf(await gate.review(lead, code))).toBe('ok');
    expect(await write('.git/hooks/pre-commit')).toMatchObject({ state: 'pending' });
  });

  it('is refused for a call without a shape, and with a rejection', async () => {
    const { gate, shell, lead } = await inSession();
    const shapeless = await shell('rm build/a && rm build/b');
    expect(codeOf(await gate.review(lead, shapeless, 'approve', { always: true }))).toBe('tool_call.no_shape');
    const answer = await shell('rm build/a');
    expect(codeOf(await gate.review(lead, answer, 'reject', { always: true }))).toBe('review.always_not_here');
    expect(codeOf(await gate.review(lead, shapeless))).toBe('ok');
  });
});

describe('the prompt about a call that waits', () => {
  it('is on record: the kind of work, the effect, the later calls of an "always", and the word', async () => {
    const { gate, shell } = await inSession();
    const prompts = () =>
      gate
        .audited()
        .flatMap(({ action, payload }) => (action === 'tool_call.asked' ? [(payload as JsonObject).prompt] : []));
    await shell('rm build/a');
    await shell('ls build');
    expect(prompts()).toEqual([
      {
        category: 'terminal-write',
        impact: 'shell executes in staging (Tier 2, DESTRUCTIVE): rm build/a',
        always_covers: { program: 'rm', class: 'DESTRUCTIVE', subcommand: '', flags: [] },
        confirm_word: null,
      },
    ]);
    const cautious = await gate.opened({ autonomy: CAUTIOUS });
    const question = { place: { sessionId: cautious.id }, tool: 'shell', arguments: { line: 'rm build/b' } };
    await gate.submitted(gate.running(gate.home.agent), question);
    expect(prompts()[1]).toMatchObject({ always_covers: null, confirm_word: 'CONFIRM' });
  });
});

describe('the word CONFIRM', () => {
  it('is needed to approve a destructive call of a cautious session, and not to reject it', async () => {
    const { gate, shell, lead } = await inSession({ autonomy: CAUTIOUS });
    const answer = await shell('rm build/a');
    expect(answer.decision.obligations.confirm_word).toBe('CONFIRM');
    for (const word of [undefined, 'confirm', 'yes']) {
      const given = word === undefined ? {} : { confirm_word: word };
      expect(await gate.review(lead, answer, 'approve', given)).toMatchObject({
        error: { code: 'review.confirm_word_required', errors: [{ pointer: '/confirm_word' }] },
      });
    }
    expect(codeOf(await gate.review(lead, answer, 'approve', { confirm_word: 'CONFIRM' }))).toBe('ok');
    expect(await gate.call(answer)).toMatchObject({ state: 'allowed' });
    const [said] = gate.audited().filter(({ action }) => action === 'review.submitted');
    expect(said?.payload).toMatchObject({ confirm_word: 'CONFIRM' });
    expect(codeOf(await gate.review(lead, await shell('rm build/b'), 'reject'))).toBe('ok');
  });

  it('is part of the operation that a second factor proves', async () => {
    const { gate, shell, lead } = await inSession({ autonomy: CAUTIOUS });
    const given = { confirm_word: 'CONFIRM' } as const;
    const answer = await shell('rm build/a');
    const plain = { ...given, step_up_id: await gate.proofOf(lead, answer) };
    expect(codeOf(await gate.review(lead, answer, 'approve', plain))).toBe('mfa.other_operation');
    const proved = { ...given, step_up_id: await gate.proofOf(lead, answer, given) };
    expect(codeOf(await gate.review(lead, answer, 'approve', proved))).toBe('ok');
  });

  it('is typed for each call: no "always" is said to it', async () => {
    const { gate, shell, lead } = await inSession({ autonomy: CAUTIOUS });
    const given = { confirm_word: 'CONFIRM', always: true };
    expect(codeOf(await gate.review(lead, await shell('rm build/a'), 'approve', given))).toBe('review.always_not_here');
  });

  it('is not asked for elsewhere', async () => {
    const { gate, shell, lead } = await inSession({ autonomy: CAUTIOUS });
    expect(codeOf(await gate.review(lead, await shell('touch a'), 'approve'))).toBe('ok');
  });
});
