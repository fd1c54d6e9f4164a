import { digestOf, type PersonPrincipal } from '#lib/kernel';
import { sampleExecutor } from '../../../../registry/tool/src/application/fake-tool.js';
import { codesOf, fakeGate, TARGETS } from './fake-gate.js';

type Gate = Awaited<ReturnType<typeof fakeGate>>;

const SLOW = 'autonomy:\n  mode: plan_only\n  approval_seconds: 600\n  environments: {staging: {mode: full_auto}}\n';
const MANUAL = { preset: 'levels', level: 'MANUAL', mode: 'ask-on-write' } as const;

const codeOf = (result: { readonly ok: boolean } & { readonly error?: { readonly code: string } }): string =>
  result.error?.code ?? 'ok';

/** A pending call, with the person who may answer it. */
async function asked() {
  const gate = await fakeGate();
  const lead = gate.person('SRELead');
  return { gate, lead, answer: await gate.ask('label', 'staging') };
}

const decidedIn = (gate: Gate) => gate.audited().filter(({ action }) => action === 'tool_call.decided');

describe('a call that policies ask about', () => {
  it('is pending, with a request that names it, for 120 seconds', async () => {
    const { gate, answer } = await asked();
    const { uow, request, call, audited, home } = gate;
    expect(answer).toMatchObject({
      state: 'pending',
      decidedAs: null,
      decidedAt: null,
      denial: null,
      allowedUntil: null,
      expiresAt: uow.now + 120_000,
    });
    expect(codesOf(answer)).toEqual(['approval.required', 'session.asks']);
    expect(await request(answer.requestId)).toMatchObject({
      state: 'open',
      subject: { type: 'tool_call', id: answer.id, sessionId: null },
      decisionId: answer.decisionId,
      decision: answer.decision,
      requester: { kind: 'agent', id: home.agent.agentId },
      risk: 'medium',
      targets: 1,
      expiresAt: answer.expiresAt,
    });
    expect(await call(answer)).toMatchObject({ state: 'pending', requestId: answer.requestId });
    expect(audited().map(({ action }) => action)).toEqual(['approval_request.opened', 'tool_call.asked']);
    expect(audited()[1]).toMatchObject({
      decisionId: answer.decisionId,
      payload: {
        ...{ tool: 'label', arguments: TARGETS, request_id: answer.requestId, outcome: 'require_approval' },
        asked_by: { kind: 'agent', id: home.agent.agentId, owner_id: home.agent.ownerId },
      },
    });
    expect(audited()[1]?.payload).not.toHaveProperty('decided_as');
    expect(await gate.get(gate.running(home.agent), answer)).toEqual({ ok: true, value: answer });
  });

  it('is read only by its agent, and by people', async () => {
    const { gate, lead, answer } = await asked();
    const another = { ...gate.home.agent, agentId: gate.other.agent.agentId };
    expect(codeOf(await gate.get(another, answer))).toBe('resource.not_found');
    expect(codeOf(await gate.get(lead, answer))).toBe('ok');
  });

  it('says first of all that there is no way back, if a runner of its pool says so', async () => {
    const gate = await fakeGate();
    const executor = sampleExecutor(gate.home.staging, { kind: 'runner', url: null, settings: { pool: 'laptops' } });
    await gate.atHome((tx) =>
      gate.stores.executors.save(tx, gate.home.staging.id, executor, gate.home.admin.personId, 1),
    );
    const prompt = async (line: string) => {
      const { id } = await gate.ask('shell', 'staging', { line });
      const about = await gate.atHome((tx) => gate.subjects.about(tx, [id]));
      const impact = (await gate.atHome((tx) => gate.subjects.read(tx, id)))?.call.impact;
      expect(about.get(id)?.impact).toBe(impact);
      return impact;
    };
    expect(await prompt('rm build/a')).toMatch(/^shell executes/);
    gate.noWayBack.set('laptops staging', 'there are more than 7 bytes');
    expect(await prompt('rm build/b')).toMatch(/^No way back \(there are more than 7 bytes\)\. shell executes/);
    expect(await prompt('ls build')).toMatch(/^shell executes/);
  });

  it('says so among the calls of its session too, as long as it waits', async () => {
    const gate = await fakeGate();
    const executor = sampleExecutor(gate.home.staging, { kind: 'runner', url: null, settings: { pool: 'laptops' } });
    await gate.atHome((tx) =>
      gate.stores.executors.save(tx, gate.home.staging.id, executor, gate.home.admin.personId, 1),
    );
    gate.noWayBack.set('laptops staging', 'there are more than 7 bytes');
    const session = await gate.opened({ autonomy: MANUAL });
    const context = { sessionId: session.id };
    const by = gate.running(gate.home.agent);
    const answer = await gate.submitted(by, { tool: 'shell', context, arguments: { line: 'rm build/a' } });
    const listed = async () => {
      const list = await gate.list(gate.home.agent, session);
      return list.ok ? list.value.calls.map(({ category, impact }) => `${category}: ${impact}`) : list.error;
    };
    expect(await listed()).toEqual([
      expect.stringMatching(/^terminal-write: No way back \(there are more than 7 bytes\)\. shell executes/),
    ]);
    expect(answer).toMatchObject({ ok: true, value: { state: 'pending' } });
    if (answer.ok) await gate.cancel(by, answer.value);
    expect(await listed()).toEqual([expect.stringMatching(/^terminal-write: shell executes/)]);
  });

  it('waits as long as its session says, and belongs to it', async () => {
    const gate = await fakeGate();
    const session = await gate.opened({ autonomy: MANUAL, approvalSeconds: 30 });
    const answer = await gate.submitted(gate.running(gate.home.agent), { context: { sessionId: session.id } });
    if (!answer.ok) throw new Error(answer.error.code);
    expect(answer.value).toMatchObject({ state: 'pending', sessionId: session.id, expiresAt: gate.uow.now + 30_000 });
    expect(await gate.request(answer.value.requestId)).toMatchObject({ subject: { sessionId: session.id } });
    const listed = await gate.list(gate.home.agent, session);
    expect(listed).toMatchObject({ ok: true, value: { calls: [{ call: { id: answer.value.id, state: 'pending' } }] } });
  });

  it('waits outside a session as long as the tenant says, and in a session as that says', async () => {
    const gate = await fakeGate();
    await gate.put(SLOW, 2);
    const by = gate.running(gate.home.agent);
    const outside = await gate.submitted(by, {
      tool: 'label',
      context: { environment: 'staging' },
      arguments: TARGETS,
    });
    expect(outside).toMatchObject({ value: { state: 'pending', expiresAt: gate.uow.now + 600_000 } });
    const session = await gate.opened({ autonomy: MANUAL, approvalSeconds: 30 });
    const inside = await gate.submitted(by, { context: { sessionId: session.id } });
    expect(inside).toMatchObject({ value: { state: 'pending', expiresAt: gate.uow.now + 30_000 } });
  });

  it.each(['in another session', 'outside one'])('T09: asks no second time while its twin waits, %s', async (where) => {
    const { gate, lead, answer } = await asked();
    const session = where === 'in another session' ? await gate.opened({ autonomy: MANUAL }) : null;
    const again = (by = gate.home.agent, args = TARGETS) =>
      gate.submitted(gate.running(by), {
        tool: 'label',
        context: session === null ? { environment: 'staging' } : { sessionId: session.id },
        arguments: args,
        turnId: 'another',
      });
    // Outside a session, and before the session was there.
    const first = answer;
    const before = gate.audited().length;
    expect(await again()).toMatchObject({
      error: {
        kind: 'conflict',
        code: 'tool_call.already_pending',
        details: { tool_call_id: first.id, request_id: first.requestId },
      },
    });
    expect(gate.audited()).toHaveLength(before);
    expect(await again(gate.home.agent, { targets: ['sandbox-2'] })).toMatchObject({ value: { state: 'pending' } });
    await gate.review(lead, first, 'reject');
    expect(await again()).toMatchObject({ value: { state: 'pending' } });
  });

  it('is neither kept nor pending if its agent asks too much (T09)', async () => {
    const gate = await fakeGate();
    const session = await gate.opened({ autonomy: MANUAL, callsPerTurn: 64 });
    let count = 0;
    const submit = () =>
      gate.submitted(gate.running(gate.home.agent), {
        context: { sessionId: session.id },
        arguments: { targets: [`sandbox-${String(count)}`] },
      });
    let left = await submit();
    while (left.ok && count < 1_000) {
      count += 1;
      left = await submit();
    }
    expect(codeOf(left)).toBe('approval.flood');
    const listed = await gate.list(gate.home.agent, session);
    expect(listed.ok && listed.value.calls.filter(({ call }) => call.state !== 'pending')).toEqual([]);
    const opened = gate.audited().filter(({ action }) => action === 'approval_request.opened');
    expect(opened).toHaveLength(count);
  });
});

describe('the answer about a pending call', () => {
  it('allows it for a minute once a person approves, with the decision word approved', async () => {
    const { gate, lead, answer } = await asked();
    gate.uow.now += 5_000;
    expect(codeOf(await gate.review(lead, answer))).toBe('ok');
    const at = gate.uow.now;
    const allowed = { state: 'allowed', decidedAs: 'approved', decidedAt: at, allowedUntil: at + 60_000 };
    expect(await gate.call(answer)).toMatchObject({ ...allowed, requestId: answer.requestId });
    expect(await gate.get(lead, answer)).toMatchObject({ value: { ...allowed, expiresAt: null, denial: null } });
    expect(await gate.request(answer.requestId)).toMatchObject({ state: 'consumed' });
    expect(decidedIn(gate)).toMatchObject([
      {
        actor: { kind: 'person', id: lead.personId },
        decisionId: answer.decisionId,
        payload: { decided_as: 'approved', tool: 'label', asked_by: { kind: 'agent', id: gate.home.agent.agentId } },
      },
    ]);
  });

  it('denies it with the word rejected', async () => {
    const { gate, lead, answer } = await asked();
    expect(codeOf(await gate.review(lead, answer, 'reject'))).toBe('ok');
    expect(await gate.call(answer)).toMatchObject({
      state: 'denied',
      decidedAs: 'rejected',
      denial: { code: 'tool_call.rejected' },
    });
    expect(decidedIn(gate)).toMatchObject([
      { payload: { decided_as: 'rejected', reasons: [{ code: 'tool_call.rejected' }] } },
    ]);
    expect(codeOf(await gate.review(lead, answer))).toBe('approval.already_decided');
  });

  it('that does not come denies it with the word timeout', async () => {
    const { gate, lead, answer } = await asked();
    gate.uow.now += 120_000;
    expect(codeOf(await gate.review(lead, answer))).toBe('approval.expired');
    const denial = { code: 'tool_call.approval_timeout', message: 'No answer came within 120 seconds.' };
    expect(await gate.call(answer)).toMatchObject({ state: 'denied', decidedAs: 'timeout', denial });
    const other = await gate.ask('label', 'staging');
    gate.uow.now += 120_000;
    await gate.expire(other);
    expect(await gate.call(other)).toMatchObject({ state: 'denied', decidedAs: 'timeout', denial });
    expect(decidedIn(gate)[1]).toMatchObject({ actor: { kind: 'system' }, payload: { decided_as: 'timeout' } });
  });

  it('is for the call as it was asked for: a changed tool voids it (T01)', async () => {
    const { gate, lead, answer } = await asked();
    await gate.atHome((tx) => gate.stores.tools.remove(tx, 'label'));
    expect(codeOf(await gate.review(lead, answer))).toBe('approval.binding_changed');
    expect(await gate.call(answer)).toMatchObject({
      state: 'denied',
      decidedAs: 'cancelled',
      denial: { code: 'approval.binding_changed' },
    });
  });

  it('is refused to a token, and to a person without the role (T55)', async () => {
    const { gate, lead, answer } = await asked();
    const token: PersonPrincipal = { ...lead, credentialKind: 'person_token' };
    expect(codeOf(await gate.review(token, answer))).toBe('policy.denied');
    expect(codeOf(await gate.review(gate.person('Auditor'), answer))).toBe('policy.denied');
    expect(await gate.call(answer)).toMatchObject({ state: 'pending' });
  });
});

describe('the end of a pending call', () => {
  it('comes by its agent, the owner of the agent, or an admin, and by no other person', async () => {
    const gate = await fakeGate();
    const [{ home }, lead] = [gate, gate.person('SRELead')];
    for (const by of [home.agent, home.admin]) {
      const answer = await gate.ask('label', 'staging');
      expect(await gate.cancel(by, answer)).toMatchObject({
        ok: true,
        value: { state: 'denied', decidedAs: 'cancelled', denial: { code: 'approval.call_withdrawn' } },
      });
      expect(await gate.request(answer.requestId)).toMatchObject({ state: 'voided' });
      expect(codeOf(await gate.cancel(by, answer))).toBe('tool_call.too_late');
    }
    const answer = await gate.ask('label', 'staging');
    expect(codeOf(await gate.cancel(lead, answer))).toBe('tool_call.not_yours');
    expect(codeOf(await gate.cancel({ ...home.agent, agentId: gate.other.agent.agentId }, answer))).toBe(
      'resource.not_found',
    );
    expect(await gate.call(answer)).toMatchObject({ state: 'pending' });
  });

  it('comes before an allowed call is taken up, too', async () => {
    const { gate } = await asked();
    const answer = await gate.ask('look');
    expect(await gate.cancel(gate.home.agent, answer)).toMatchObject({
      value: { state: 'denied', decidedAs: 'cancelled', allowedUntil: null, denial: { code: 'tool_call.cancelled' } },
    });
    // A call is decided once; a pack with two decisions on one call does not verify.
    expect(decidedIn(gate)).toMatchObject([{ payload: { decided_as: 'auto_approved' } }]);
    expect(gate.audited().at(-1)).toMatchObject({
      action: 'tool_call.cancelled',
      payload: { state: 'denied', code: 'tool_call.cancelled' },
    });
    expect(await gate.cancel(gate.home.agent, answer)).toMatchObject({ error: { code: 'tool_call.too_late' } });
  });

  it('comes with the end of its session, and the calls of others stay', async () => {
    const { gate, answer } = await asked();
    const session = await gate.opened({ autonomy: MANUAL });
    const inSession = await gate.submitted(gate.running(gate.home.agent), { context: { sessionId: session.id } });
    if (!inSession.ok) throw new Error(inSession.error.code);
    await gate.endSession(session, gate.home.owner);
    expect(await gate.call(inSession.value)).toMatchObject({
      state: 'denied',
      decidedAs: 'cancelled',
      denial: { code: 'approval.session_ended' },
    });
    expect(await gate.call(answer)).toMatchObject({ state: 'pending' });
  });

  it('comes with the disabling of its agent', async () => {
    const { gate, answer } = await asked();
    await gate.agentDisabled();
    expect(await gate.call(answer)).toMatchObject({
      state: 'denied',
      decidedAs: 'cancelled',
      denial: { code: 'approval.agent_disabled' },
    });
  });

  it('comes with a halt that covers it', async () => {
    const { gate, answer } = await asked();
    await gate.stop({ kind: 'tool', tool: 'shell' });
    expect(await gate.call(answer)).toMatchObject({ state: 'pending' });
    await gate.stop({ kind: 'tool', tool: 'label' });
    expect(await gate.call(answer)).toMatchObject({
      state: 'denied',
      decidedAs: 'cancelled',
      denial: { code: 'approval.halted' },
    });
  });
});

it('the subject of a request is digested with its own id', async () => {
  const { gate, answer } = await asked();
  await gate.cancel(gate.home.agent, answer);
  const other = await gate.ask('label', 'staging');
  const digests = await gate.atHome(async (tx) =>
    Promise.all([answer, other].map(async ({ id }) => (await gate.subjects.read(tx, id))?.call.digest)),
  );
  expect(new Set(digests).size).toBe(2);
  expect(digests).not.toContain(digestOf('tool-call', {}));
});
