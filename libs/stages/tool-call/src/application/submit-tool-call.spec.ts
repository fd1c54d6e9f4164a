import type { Session } from '#lib/session';
import type { HaltTarget } from '#lib/halt';
import { newId, type CredentialId, type EnvironmentId, type PersonCredentialKind, type Principal } from '#lib/kernel';
import { environmentDigest } from '#lib/task';
import { sampleAgent } from '../../../../foundation/kernel/src/fake-tenant.js';
import { definitionText, sampleExecutor, sampleTool } from '../../../../registry/tool/src/application/fake-tool.js';
import { sampleLine } from './fake-tool-call.js';
import { codesOf, fakeGate, TARGETS } from './fake-gate.js';
import type { ToolCallQuestion } from './submit-tool-call.js';

describe('one tool call', () => {
  it.each([
    ['look', 'production', 'allow', 'autonomy.executes'],
    ['label', 'production', 'deny', 'safety.nonprod_in_production'],
  ])('%s in %s: %s, and the decision and the entry are kept', async (tool, environment, outcome, code) => {
    const { ask, kept, home, uow, policy, audited } = await fakeGate();
    const answer = await ask(tool, environment);
    expect([answer.decision.outcome, codesOf(answer)]).toEqual([
      outcome,
      expect.arrayContaining([code]) as readonly string[],
    ]);
    expect(answer).toMatchObject({ toolVersion: 1, errors: [], decidedAt: uow.now });
    expect(answer.bundleRevision).toBe(policy.bundleRevision);
    expect(await kept(answer)).toMatchObject({
      entrypoint: 'tool_call',
      decision: answer.decision,
      about: { subject: { type: 'tool_call', id: answer.id }, within: [] },
      input: { tenant_id: home.tenantId, tool: { name: tool }, environment: { name: environment } },
    });
    expect(audited()).toMatchObject([
      {
        action: 'tool_call.decided',
        actor: { kind: 'agent', id: home.agent.agentId },
        level: answer.decision.obligations.audit_level,
        subject: { type: 'tool_call', id: answer.id },
        decisionId: answer.decisionId,
        payload: {
          tool,
          tool_version: 1,
          environment,
          outcome,
          arguments: TARGETS,
          arguments_digest: answer.argumentsDigest,
          errors: [],
        },
      },
    ]);
  });

  it.each<[string, string, string, string, number | null]>([
    ['a tool that is not there', 'never', 'production', 'policy.unknown_tool', null],
    ['an environment that is not there', 'look', 'nowhere', 'policy.unknown_environment', 1],
  ])('of %s is denied without a decision, on record', async (_what, tool, environment, code, toolVersion) => {
    const { ask, audited } = await fakeGate();
    const answer = await ask(tool, environment);
    expect(codesOf(answer)).toEqual([code]);
    expect(answer).toMatchObject({
      decision: { outcome: 'deny' },
      decisionId: null,
      argumentsDigest: null,
      toolVersion,
    });
    expect(audited()).toMatchObject([{ action: 'tool_call.decided', payload: { tool, environment, outcome: 'deny' } }]);
    expect(audited()[0]).not.toHaveProperty('decisionId');
    expect(audited()[0]?.payload).not.toHaveProperty('arguments');
  });

  it('with arguments that do not fit is denied: each mistake is named, and none is kept', async () => {
    const { ask, audited } = await fakeGate();
    const answer = await ask('look', 'production', { targets: 7, pasword: 'hunter2' });
    expect(codesOf(answer)).toEqual(['policy.invalid_arguments']);
    expect(answer.decisionId).toBeNull();
    expect(answer.errors.map(({ pointer }) => pointer).sort()).toEqual(['/pasword', '/targets']);
    expect(audited()).toMatchObject([{ payload: { outcome: 'deny' } }]);
    expect(JSON.stringify(audited())).not.toContain('hunter2');
    expect(audited()[0]?.payload).toMatchObject({
      errors: answer.errors.map(({ pointer, code }) => ({ pointer, code })),
    });
  });

  describe('with a command line', () => {
    it.each([
      ['ls -l /srv', 'production', 'allow', 'autonomy.executes', 1, 'READ_ONLY'],
      ['ls -l > list', 'staging', 'require_approval', 'approval.required', 2, 'WRITE'],
      ['ls -l > list', 'production', 'deny', 'plan.required', 2, 'WRITE'],
      ['ls; sudo ls', 'staging', 'deny', 'shell.denied', 3, 'ESCALATION'],
      ['', 'staging', 'deny', 'shell.denied', 3, 'UNKNOWN'],
    ])('%j in %s: %s, %s', async (line, environment, outcome, code, tier, shellClass) => {
      const { ask, kept, audited } = await fakeGate();
      const answer = await ask('shell', environment, { line });
      expect([answer.decision.outcome, codesOf(answer)]).toEqual([
        outcome,
        expect.arrayContaining([code]) as readonly string[],
      ]);
      const shell = { tier, class: shellClass };
      expect(answer.shell).toMatchObject({ shell: 'bash', ...shell });
      expect(await kept(answer)).toMatchObject({ input: { shell } });
      expect(audited().at(-1)).toMatchObject({ payload: { shell } });
    });

    it.each([
      ['ls -l /srv', []],
      ['touch list', ['environment:staging']],
    ])('aims at the environment as a whole if the line changes something: %j', async (line, targets) => {
      const { ask, call } = await fakeGate();
      expect(await call(await ask('shell', 'staging', { line }))).toMatchObject({ targets });
    });

    it('says the part of the line that each reason is about', async () => {
      const { ask } = await fakeGate();
      const { shell } = await ask('shell', 'staging', { line: 'ls; sudo ls' });
      expect(shell?.parts).toContainEqual(expect.objectContaining({ start: 4, program: 'sudo', tier: 3 }));
    });

    it('keeps the tree of the line, which alone may be executed', async () => {
      const { ask, call, audited } = await fakeGate();
      const answer = await ask('shell', 'staging', { line: 'ls -l > list' });
      const { tree } = sampleLine('ls -l > list');
      expect(await call(answer)).toMatchObject({ shell: { tier: 2, tree } });
      expect(audited().at(-1)).toMatchObject({ action: 'tool_call.asked', payload: { tree } });
    });

    it.each([
      ['while true; do ls; done', 'shell.not_executable', 1, 'denied'],
      ['sudo ls', 'shell.denied', 3, 'rejected'],
    ])(
      'T53: that no executor can execute is denied before anybody is asked: %j',
      async (line, code, tier, decidedAs) => {
        const { ask, audited, call, stores, home, atHome } = await fakeGate();
        const executor = sampleExecutor(home.staging);
        await atHome((tx) => stores.executors.save(tx, home.staging.id, executor, home.admin.personId, 1));
        const answer = await ask('shell', 'staging', { line });
        expect(codesOf(answer)).toContain(code);
        expect(answer).toMatchObject({ state: 'denied', requestId: null });
        expect(await call(answer)).toMatchObject({ state: 'denied', decidedAs });
        expect(audited()).toMatchObject([
          {
            ...{ action: 'tool_call.decided', decisionId: answer.decisionId },
            payload: { outcome: 'deny', arguments: { line }, shell: { tier } },
          },
        ]);
        expect(audited()[0]?.payload).not.toHaveProperty('tree');
      },
    );

    it('may be a loop if the agent executes it by itself, without a grant', async () => {
      const { ask } = await fakeGate();
      expect((await ask('shell', 'staging', { line: 'while true; do ls > list; done' })).state).toBe('pending');
    });

    it('is denied if its argument is left out', async () => {
      const { ask } = await fakeGate();
      expect(codesOf(await ask('shell', 'staging', {}))).toContain('shell.denied');
    });
  });

  describe('on paths (T52)', () => {
    it.each([
      ['read-file', 'src/a.ts', 'production', 'allow', 'autonomy.executes', 1, 'READ_ONLY'],
      ['read-file', '.env', 'staging', 'require_approval', 'approval.required', 2, 'READ_ONLY'],
      ['read-file', '.env', 'production', 'deny', 'plan.required', 2, 'READ_ONLY'],
      ['write-file', '.mcp.json', 'staging', 'require_approval', 'paths.asks', 2, 'UNKNOWN'],
      ['write-file', '.mcp.json', 'production', 'deny', 'safety.nonprod_in_production', 2, 'UNKNOWN'],
    ])('%s %s in %s: %s, %s', async (tool, path, environment, outcome, code, tier, of) => {
      const { ask, kept, audited, call } = await fakeGate();
      const answer = await ask(tool, environment, { path });
      expect([answer.decision.outcome, codesOf(answer)]).toEqual([
        outcome,
        expect.arrayContaining([code]) as readonly string[],
      ]);
      const paths = { tier, class: of };
      expect(answer.paths).toMatchObject(paths);
      expect(await kept(answer)).toMatchObject({ input: { paths } });
      expect(audited().at(-1)).toMatchObject({ payload: { paths } });
      expect(await call(answer)).toMatchObject({ paths });
    });
  });

  it('by a credential without the scope run is denied', async () => {
    const { ask, home } = await fakeGate();
    expect(codesOf(await ask('look', 'production', TARGETS, home.agent))).toEqual(['tool_call.scope']);
  });

  it('is decided anew each time', async () => {
    const { ask, audited } = await fakeGate();
    const [one, two] = [await ask(), await ask()];
    expect(one.id).not.toBe(two.id);
    expect(one.decisionId).not.toBe(two.decisionId);
    expect(one.argumentsDigest).toBe(two.argumentsDigest);
    expect(audited()).toHaveLength(2);
  });

  it('follows a change of the autonomy document at once', async () => {
    const { ask, put } = await fakeGate();
    expect(codesOf(await ask('label', 'staging'))).toContain('approval.required');
    await put('autonomy:\n  mode: plan_only\n', 2);
    expect(codesOf(await ask('label', 'staging'))).toEqual(['autonomy.plan_only']);
  });

  it.each(['tool', 'environment', 'agent', 'tenant'] as const)('is denied while its %s is halted', async (kind) => {
    const { ask, halt, home } = await fakeGate();
    const targets: Record<typeof kind, HaltTarget> = {
      tool: { kind: 'tool', tool: 'look' },
      environment: { kind: 'environment', environmentId: home.production.id, environment: 'production' },
      agent: { kind: 'agent', agentId: home.agent.agentId },
      tenant: { kind: 'tenant' },
    };
    const lift = await halt(targets[kind]);
    const halted = await ask();
    expect([halted.decision.outcome, codesOf(halted)]).toEqual([
      'deny',
      expect.arrayContaining(['halt.active']) as readonly string[],
    ]);
    await lift();
    expect((await ask()).decision.outcome).toBe('allow');
  });

  it('T55: of a person outside a session asks if it comes with a token, and not in a browser', async () => {
    const gate = await fakeGate();
    await gate.put('autonomy:\n  mode: plan_only\n  environments:\n    staging:\n      mode: full_auto\n', 2);
    const [lead, ben] = [gate.person('SRELead'), gate.person('SRELead')];
    const made = (credentialKind: PersonCredentialKind, tool = 'label') =>
      gate.ask(tool, 'staging', TARGETS, gate.running({ ...lead, credentialKind }));
    expect((await made('browser_session')).state).toBe('allowed');
    expect((await made('slack_link')).state).toBe('allowed');
    expect((await made('person_token', 'look')).state).toBe('allowed');
    const asked = await made('person_token');
    expect([asked.state, ...codesOf(asked)]).toEqual(['pending', 'session.asks']);
    expect((await gate.kept(asked))?.input).toMatchObject({ actor: { kind: 'person', via: 'token' } });
    expect(await gate.review(lead, asked)).toMatchObject({ ok: false, error: { code: 'policy.denied' } });
    expect(await gate.review(ben, asked)).toMatchObject({ ok: true });
    expect(await gate.call(asked)).toMatchObject({ state: 'allowed', decidedAs: 'approved' });
  });

  it('of a person is not stopped by a halt of an agent', async () => {
    const { ask, halt, home, running } = await fakeGate();
    await halt({ kind: 'agent', agentId: home.agent.agentId });
    expect((await ask('look', 'production', TARGETS, running(home.owner))).decision.outcome).toBe('allow');
  });

  it('knows nothing of the tools of another tenant', async () => {
    const { ask, other, audit } = await fakeGate();
    expect(codesOf(await ask('look', 'production', TARGETS, other.agent))).toEqual(['policy.unknown_tool']);
    expect(audit.of(other)).toHaveLength(1);
  });

  describe('that is kept', () => {
    it('is kept as it was answered, allowed for a minute', async () => {
      const { submitted, call, get, home, running, uow } = await fakeGate();
      const agent = running(home.agent);
      const asked = await submitted(agent, { turnId: 'turn 1', reason: 'password=hunter2' });
      if (!asked.ok) throw new Error(asked.error.code);
      const answer = asked.value;
      expect(answer).toMatchObject({ state: 'allowed', decidedAs: 'auto_approved', allowedUntil: uow.now + 60_000 });
      expect(await call(answer)).toMatchObject({
        submitter: { kind: 'agent', id: home.agent.agentId, credentialId: home.agent.credentialId },
        turnId: 'turn 1',
        reason: 'password=[masked]',
        tool: { name: 'look', version: 1 },
        executor: null,
        environment: { id: home.production.id, name: 'production', digest: environmentDigest(home.production) },
        arguments: TARGETS,
        targets: [],
        state: 'allowed',
        askedAt: uow.now,
        decidedAt: uow.now,
      });
      expect(await get(agent, answer)).toEqual({ ok: true, value: answer });
    });

    it('is expired after its minute also without an executor, in answers and in the list', async () => {
      const { submitted, get, list, opened, home, running, uow } = await fakeGate();
      const session = await opened();
      const asked = await submitted(running(home.agent), { context: { sessionId: session.id } });
      if (!asked.ok) throw new Error(asked.error.code);
      uow.now += 59_999;
      expect(await get(home.agent, asked.value)).toMatchObject({ value: { state: 'allowed' } });
      uow.now += 1;
      expect(await get(home.agent, asked.value)).toMatchObject({ value: { state: 'expired', answeredBy: null } });
      expect(await list(home.agent, session)).toMatchObject({ value: { calls: [{ call: { state: 'expired' } }] } });
    });

    it('is denied by policy, and never allowed until a time', async () => {
      const { ask, call } = await fakeGate();
      const answer = await ask('label', 'production');
      expect(answer).toMatchObject({ state: 'denied', decidedAs: 'denied', allowedUntil: null });
      expect(await call(answer)).toMatchObject({ state: 'denied', decidedAs: 'denied', targets: ['sandbox-1'] });
    });

    it('is hidden from another tenant, and not kept without facts to decide on', async () => {
      const { ask, get, home, other } = await fakeGate();
      const absent = { ok: false, error: { code: 'resource.not_found' } };
      expect(await get(other.agent, await ask())).toMatchObject(absent);
      expect(await get(home.agent, await ask('never'))).toMatchObject(absent);
    });
  });

  describe('with a name of its own', () => {
    it('is answered again for the same call, and neither decided nor recorded anew', async () => {
      const { submitted, home, running, audited, put } = await fakeGate();
      const again = () => submitted(running(home.agent), { clientCallId: 'call-1' });
      const first = await again();
      await put('autonomy:\n  mode: plan_only\n', 2);
      expect(await again()).toEqual(first);
      expect(audited()).toHaveLength(1);
    });

    it.each<[string, Partial<ToolCallQuestion>]>([
      ['tool', { tool: 'label' }],
      ['environment', { context: { environment: 'staging' } }],
      ['arguments', { arguments: { targets: ['another'] } }],
    ])('is refused with another %s', async (_what, other) => {
      const { submitted, home, running, audited } = await fakeGate();
      const agent = running(home.agent);
      const first = await submitted(agent, { clientCallId: 'call-1' });
      expect(await submitted(agent, { clientCallId: 'call-1', ...other })).toMatchObject({
        ok: false,
        error: {
          kind: 'conflict',
          code: 'tool_call.client_call_id_reused',
          details: { tool_call_id: first.ok && first.value.id },
        },
      });
      expect(audited()).toHaveLength(1);
    });

    it('is answered again to its agent with another token, and to a person with the same credential alone', async () => {
      const { submitted, home, running } = await fakeGate();
      const named = async (by: Principal) => {
        const answer = await submitted(running(by), { clientCallId: 'call-1' });
        return answer.ok ? answer.value.id : answer.error.code;
      };
      const rotated = { credentialId: newId<CredentialId>() };
      expect(await named({ ...home.agent, ...rotated })).toBe(await named(home.agent));
      expect(await named(home.owner)).toBe(await named(home.owner));
      expect(await named({ ...home.owner, ...rotated })).not.toBe(await named(home.owner));
      expect(await named(sampleAgent(home.owner))).not.toBe(await named(home.agent));
    });

    it.each<[string, Partial<ToolCallQuestion>, string]>([
      ['without its tool', { tool: 'later' }, 'policy.unknown_tool'],
      ['without its environment', { context: { environment: 'later' } }, 'policy.unknown_environment'],
      ['with arguments that do not fit', { arguments: { targets: 7 } }, 'policy.invalid_arguments'],
    ])('%s is denied again, also if the fact is there by now, and on record once', async (_what, lacking, code) => {
      const { submitted, home, running, audited, stores, atHome, uow } = await fakeGate();
      const again = (more: Partial<ToolCallQuestion> = {}) =>
        submitted(running(home.agent), { clientCallId: 'call-1', ...lacking, ...more });
      const first = await again();
      if (!first.ok) throw new Error(first.error.code);
      expect([first.value.state, ...codesOf(first.value)]).toEqual(['denied', code]);
      uow.now += 1_000;
      await atHome(async (tx) => {
        const parameters = { type: 'object' } as const;
        for (const tool of [sampleTool('later', { parameters }), sampleTool('look', { parameters }, 2)])
          await stores.tools.addVersion(tx, tool, definitionText(tool.definition), home.admin.personId, 0);
        await stores.environments.insert(tx, {
          ...home.production,
          ...{ id: newId<EnvironmentId>(), name: 'later', createdAt: uow.now, updatedAt: uow.now },
        });
      });
      expect(await again()).toEqual(first);
      expect(audited()).toHaveLength(1);
      expect(await again({ clientCallId: 'call-2' })).toMatchObject({
        value: { decisionId: expect.any(String) as string },
      });
      expect(await again({ arguments: { targets: ['another'] } })).toMatchObject({
        error: { code: 'tool_call.client_call_id_reused', details: { tool_call_id: first.value.id } },
      });
    });

    it('that lacked a fact is denied again after the end of its session, to its own agent alone', async () => {
      const { submitted, opened, home, running, uow } = await fakeGate();
      const session = await opened({ idleSeconds: 60 });
      const named = (by = home.agent) =>
        submitted(running(by), { context: { sessionId: session.id }, tool: 'never', clientCallId: 'call-1' });
      const first = await named();
      uow.now += 120_000;
      expect(await named()).toEqual(first);
      expect(await named(sampleAgent(home.owner))).toMatchObject({ error: { code: 'resource.not_found' } });
    });

    it('is another call by another caller', async () => {
      const { submitted, home, running } = await fakeGate();
      const [one, two] = [
        await submitted(running(home.agent), { clientCallId: 'call-1' }),
        await submitted(running(home.owner), { clientCallId: 'call-1' }),
      ];
      expect([one.ok, two.ok]).toEqual([true, true]);
      expect(one.ok && one.value.id).not.toBe(two.ok && two.value.id);
    });
  });

  describe('in a session', () => {
    const MANUAL = { preset: 'levels', level: 'MANUAL', mode: 'ask-on-write' } as const;

    it('takes the environment of the session, is bounded by its preset, and belongs to it', async () => {
      const { submitted, opened, call, kept, audited, home, running } = await fakeGate();
      const agent = running(home.agent);
      const [usual, manual] = [await opened(), await opened({ autonomy: MANUAL })];
      const allowed = await submitted(agent, { context: { sessionId: usual.id } });
      const asked = await submitted(agent, { context: { sessionId: manual.id } });
      if (!allowed.ok || !asked.ok) throw new Error('refused');
      expect(allowed.value.state).toBe('allowed');
      expect([asked.value.state, codesOf(asked.value)]).toEqual(['pending', ['session.asks']]);
      const within = [{ type: 'session', id: manual.id }];
      expect(await call(asked.value)).toMatchObject({ sessionId: manual.id, environment: { name: 'staging' } });
      expect(await kept(asked.value)).toMatchObject({
        about: { within },
        input: { session: { ...MANUAL, trusted: false }, environment: { name: 'staging' } },
      });
      expect(audited().at(-1)).toMatchObject({ within, payload: { environment: 'staging' } });
    });

    it('is refused after the end of the session, and by an agent that is not in it', async () => {
      const { submitted, opened, home, running, uow } = await fakeGate();
      const ended = await opened({ openedAt: uow.now - 7_200_000 });
      const foreign = await opened({ agentIds: [] });
      const codes = [ended, foreign].map(async ({ id }) => {
        const refused = await submitted(running(home.agent), { context: { sessionId: id } });
        return refused.ok ? 'ok' : refused.error.code;
      });
      expect(await Promise.all(codes)).toEqual(['session.ended', 'resource.not_found']);
    });

    it('is answered again by its name after the end of the session, to its own agent alone', async () => {
      const { submitted, opened, home, running, uow } = await fakeGate();
      const [another, stranger] = [sampleAgent(home.owner), sampleAgent(home.owner)];
      const session = await opened({ agentIds: [home.agent.agentId, another.agentId], idleSeconds: 60 });
      const named = (by = home.agent) =>
        submitted(running(by), { context: { sessionId: session.id }, clientCallId: 'call-1' });
      const [first, other] = [await named(), await named(another)];
      if (!first.ok || !other.ok) throw new Error('refused');
      expect(other.value.id).not.toBe(first.value.id);
      uow.now += 120_000;
      const expired = { state: 'expired', decidedAs: 'auto_approved' };
      expect(await named()).toMatchObject({ value: { id: first.value.id, ...expired } });
      expect(await named(another)).toMatchObject({ value: { id: other.value.id, ...expired } });
      expect(await named({ ...home.agent, credentialId: newId<CredentialId>() })).toMatchObject({
        value: { id: first.value.id },
      });
      expect(await named(stranger)).toMatchObject({ error: { code: 'resource.not_found' } });
      const fresh = { context: { sessionId: session.id }, clientCallId: 'call-2' };
      expect(await submitted(running(home.agent), fresh)).toMatchObject({ error: { code: 'session.ended' } });
    });

    it('has names of its own', async () => {
      const { submitted, opened, home, running } = await fakeGate();
      const [one, two] = [await opened(), await opened()];
      const named = (sessionId: Session['id']) =>
        submitted(running(home.agent), { context: { sessionId }, clientCallId: 'call-1' });
      const first = await named(one.id);
      expect(await named(one.id)).toEqual(first);
      expect(await named(two.id)).not.toEqual(first);
    });
  });

  it('is not answered if its entry cannot be written (T28)', async () => {
    const { ask, audit, uow } = await fakeGate();
    const committed = uow.committed;
    audit.record = () => Promise.reject(new Error('the disk is full'));
    await expect(ask()).rejects.toThrow('the disk is full');
    expect(uow.committed).toBe(committed);
  });
});
