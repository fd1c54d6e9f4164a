import type { DispatchOutcome } from '#lib/dispatch';
import { actorOf, digestOf, newId, type SessionId } from '#lib/kernel';
import { sampleHalt } from '../../../../rules/halt/src/application/fake-halt.repository.js';
import { endedSession, sampleSession } from '../../../session/src/application/fake-session.js';
import { MAX_ATTEMPTS } from '../domain/call-changes.js';
import { ALLOWED_FOR_MS, type ToolCall } from '../domain/tool-call.js';
import { sampleLine } from './fake-tool-call.js';
import { executionWorld } from './fake-execution-world.js';
import { LEASE_MARGIN_MS } from './fake-tool-calls.js';

describe('an allowed call of an executor', () => {
  it('is sent once, under a grant of its own, and its answer is kept', async () => {
    const world = await executionWorld();
    const call = await world.allowed('executor', { sessionId: newId<SessionId>() });
    let seen: unknown;
    world.dispatcher.answer = async () => {
      seen = await world.find(call);
      return { kind: 'succeeded', result: { lines: 3 } };
    };
    await Promise.all([world.work(call), world.work(call)]);
    const [order, ...more] = world.dispatcher.orders;
    expect(more).toEqual([]);
    expect(order).toMatchObject({
      source: { type: 'tool_call', id: call.id },
      basis: 'policy',
      step: call.id,
      attempt: 1,
      planDigest: null,
      shell: null,
      environment: 'production',
      arguments: call.arguments,
      argumentsDigest: call.argumentsDigest,
      idempotencyKey: call.id,
      executor: { name: 'fleet', audience: 'fleet.production' },
    });
    const ahead = String(order?.ahead?.id);
    expect(await world.atHome((tx) => world.grantRows.lock(tx, ahead))).toMatchObject({ source: order?.source });
    expect(seen).toMatchObject({ state: 'executing', leaseUntil: world.uow.now + 30_000 + LEASE_MARGIN_MS });
    expect(await world.find(call)).toMatchObject({ state: 'succeeded', attempt: 1, result: { lines: 3 } });
    expect(world.audited()).toMatchObject([
      { action: 'tool_call.dispatched', within: [{ type: 'session', id: call.sessionId }] },
      { action: 'tool_call.succeeded', payload: { result: { lines: 3 }, attempt: 1 } },
    ]);
    await world.work(call);
    expect(world.dispatcher.orders).toHaveLength(1);
  });

  it('names its session if its executor works in a workspace, and to no other', async () => {
    const world = await executionWorld();
    const sessionId = newId<SessionId>();
    await world.work(await world.allowed('executor', { sessionId }));
    const digest = await world.saveExecutor(2, { kind: 'runner', url: null, settings: { pool: 'laptops' } });
    const executor = { name: 'fleet', version: 2, digest, answeredBy: 'executor' } as const;
    await world.work(await world.allowed('executor', { sessionId, executor }));
    await world.work(await world.allowed('executor', { sessionId: null, executor }));
    expect(world.dispatcher.orders.map(({ session }) => session)).toEqual([undefined, sessionId, undefined]);
  });

  it('is a use of its session until its answer came', async () => {
    const world = await executionWorld();
    const session = sampleSession(world.home, { openedAt: world.uow.now });
    await world.atHome((tx) => world.sessions.insert(tx, session));
    const call = await world.allowed('executor', { sessionId: session.id });
    world.dispatcher.answer = () => {
      world.uow.now += 25_000;
      return { kind: 'succeeded', result: {} };
    };
    await world.work(call);
    expect(await world.atHome((tx) => world.sessions.find(tx, session.id))).toEqual({
      ...session,
      lastUsedAt: session.openedAt + 25_000,
    });
  });

  it('T32: keeps no secret of an answer', async () => {
    const world = await executionWorld();
    const secret = `ghp_${'a'.repeat(36)}`;
    const [good, bad] = [await world.allowed(), await world.allowed()];
    world.dispatcher.answer = ({ source }) =>
      source.id === good.id
        ? { kind: 'succeeded', result: { token: secret } }
        : { kind: 'failed', effect: 'done', error: { code: 'tool.refused', message: `token ${secret} is bad` } };
    await world.work(good);
    await world.work(bad);
    expect(await world.find(bad)).toMatchObject({ state: 'failed', error: { code: 'tool.refused' } });
    expect(JSON.stringify([await world.find(good), await world.find(bad), world.audited()])).not.toContain(secret);
  });

  it.each<[string, string, (world: Awaited<ReturnType<typeof executionWorld>>) => Promise<unknown>]>([
    [
      'a halt was set',
      'tool_call.halted',
      ({ stores, atHome, home }) =>
        atHome((tx) => stores.halts.insert(tx, sampleHalt(home, { kind: 'tool', tool: 'look' }))),
    ],
    ['its tool has changed', 'tool_call.facts_changed', ({ saveTool }) => saveTool({ description: 'Another.' }, 2)],
    [
      'its agent was disabled',
      'tool_call.submitter_disabled',
      ({ submitters, home, agent }) => {
        submitters.disable(home, agent.agentId);
        return Promise.resolve();
      },
    ],
    ['its executor has changed', 'tool_call.facts_changed', ({ saveExecutor }) => saveExecutor(2)],
  ])('is denied if %s since it was allowed: nothing is sent', async (_, code, change) => {
    const world = await executionWorld();
    const call = await world.allowed();
    await change(world);
    await world.work(call);
    expect(world.dispatcher.orders).toEqual([]);
    expect(await world.find(call)).toMatchObject({ state: 'denied', decidedAs: 'cancelled', denial: { code } });
    expect(world.actions()).toEqual(['tool_call.cancelled']);
  });

  it('T42: is denied once if Countersign did not write the autonomy document in force, and nothing is sent', async () => {
    const world = await executionWorld();
    const call = await world.allowed();
    await world.forgeAutonomy();
    await world.work(call);
    await world.work(call);
    const denial = { code: 'record.not_authentic', message: expect.stringContaining('(autonomy_revision)') as string };
    expect(world.dispatcher.orders).toEqual([]);
    expect(await world.find(call)).toMatchObject({ state: 'denied', decidedAs: 'cancelled', denial });
    expect(world.audited()).toMatchObject([{ action: 'tool_call.cancelled', payload: denial }]);
  });

  describe('with a command line', () => {
    const LINE = { line: 'touch a' };
    const sending = async (shell: ToolCall['shell']) => {
      const world = await executionWorld({
        risk: 'state_change_nonprod',
        effect: 'modify',
        surface: 'terminal',
        shell: { argument: '/line', shell: 'bash' },
        parameters: { type: 'object', properties: { line: { type: 'string' } }, additionalProperties: false },
      });
      const argumentsDigest = digestOf('arguments', LINE);
      const call = await world.allowed('executor', { arguments: LINE, argumentsDigest, shell });
      await world.work(call);
      return { ...world, call };
    };

    it('T53: carries the tree and the tier that it was judged with, and they are on record', async () => {
      const { tree } = sampleLine(LINE.line);
      const { dispatcher, audited } = await sending(sampleLine(LINE.line));
      expect(dispatcher.orders).toMatchObject([{ shell: { shell: 'bash', tier: 2, tree } }]);
      expect(audited()[0]).toMatchObject({ action: 'tool_call.dispatched', payload: { tree } });
    });

    it.each([
      ['another tree', { ...sampleLine('touch b') }],
      ['a milder tier', { ...sampleLine(LINE.line), tier: 1 as const }],
      ['no tree', { ...sampleLine(LINE.line), tree: null }],
    ])('T53: is not sent if it was judged with %s', async (_what, shell) => {
      const { dispatcher, find, call } = await sending(shell);
      expect(dispatcher.orders).toEqual([]);
      expect(await find(call)).toMatchObject({ state: 'denied', denial: { code: 'tool_call.line_differs' } });
    });
  });

  describe('with a path', () => {
    const SECRET = { path: '.env' };
    const sending = async (paths: ToolCall['paths']) => {
      const world = await executionWorld({
        parameters: { type: 'object', properties: { path: { type: 'string' } }, additionalProperties: false },
        path_arguments: { reads: ['/path'] },
      });
      const argumentsDigest = digestOf('arguments', SECRET);
      const call = await world.allowed('executor', { arguments: SECRET, argumentsDigest, paths });
      await world.work(call);
      return { ...world, call };
    };

    it('T52: is sent if its paths are judged as before', async () => {
      const { dispatcher } = await sending({ tier: 2, class: 'READ_ONLY', reasons: [] });
      expect(dispatcher.orders).toHaveLength(1);
    });

    it.each<[string, ToolCall['paths']]>([
      ['a harmless path', { tier: 1, class: 'READ_ONLY', reasons: [] }],
      ['no path', null],
    ])('T52: is not sent if it was decided on as %s', async (_what, paths) => {
      const { dispatcher, find, call } = await sending(paths);
      expect(dispatcher.orders).toEqual([]);
      expect(await find(call)).toMatchObject({ state: 'denied', denial: { code: 'tool_call.paths_differ' } });
    });
  });

  it('lapses if no worker took it up in time', async () => {
    const world = await executionWorld();
    const call = await world.allowed();
    world.uow.now += ALLOWED_FOR_MS;
    await world.work(call);
    expect(world.dispatcher.orders).toEqual([]);
    expect(await world.find(call)).toMatchObject({ state: 'expired', finishedAt: world.uow.now });
    expect(world.actions()).toEqual(['tool_call.expired']);
  });
});

describe('T27: an executing call after the death of its worker', () => {
  const dying = async (idempotent: boolean) => {
    const world = await executionWorld({ idempotent });
    const call = await world.allowed();
    const dies = jest.spyOn(world.dispatcher, 'dispatch').mockRejectedValue(new Error('killed'));
    const attempt = () => world.work(call).catch(() => undefined);
    const overdue = () => {
      world.uow.now += 30_000 + LEASE_MARGIN_MS;
    };
    await attempt();
    return { ...world, call, dies, attempt, overdue };
  };

  it('waits for its lease, and is sent again if it is idempotent', async () => {
    const { call, dies, work, find, overdue, dispatcher } = await dying(true);
    await work(call);
    expect(dies).toHaveBeenCalledTimes(1);
    overdue();
    dies.mockRestore();
    await work(call);
    expect(dispatcher.orders).toMatchObject([{ attempt: 2, idempotencyKey: call.id }]);
    expect(await find(call)).toMatchObject({ state: 'succeeded', attempt: 2 });
  });

  it('becomes unknown if it is not idempotent, and is never sent again', async () => {
    const { call, work, find, overdue, dies, actions } = await dying(false);
    overdue();
    await work(call);
    await work(call);
    expect(dies).toHaveBeenCalledTimes(1);
    expect(await find(call)).toMatchObject({ state: 'unknown', attempt: 1, error: { code: 'tool_call.no_answer' } });
    expect(actions()).toEqual(['tool_call.dispatched', 'tool_call.unknown']);
  });

  it.each([true, false])(
    'ends with the answer that its executor kept, and is not sent again; idempotent: %s',
    async (again) => {
      const { call, work, find, overdue, dies, actions, kept } = await dying(again);
      kept.answer = { kind: 'succeeded', result: { lines: 3 } };
      overdue();
      await work(call);
      expect(kept.asked).toEqual([
        { source: { type: 'tool_call', id: call.id }, step: call.id, attempt: 1, idempotencyKey: call.id },
      ]);
      expect(dies).toHaveBeenCalledTimes(1);
      expect(await find(call)).toMatchObject({ state: 'succeeded', attempt: 1, result: { lines: 3 } });
      expect(actions()).toEqual(['tool_call.dispatched', 'tool_call.succeeded']);
    },
  );

  it('ends with the answer that is handed over, before its lease ends', async () => {
    const { call, find, actions, kept, handOver } = await dying(true);
    kept.answer = { kind: 'succeeded', result: { lines: 3 } };
    await handOver(call, 2);
    expect(await find(call)).toMatchObject({ state: 'executing' });
    await handOver(call);
    await handOver(call);
    expect(await find(call)).toMatchObject({ state: 'succeeded', attempt: 1, result: { lines: 3 } });
    expect(actions()).toEqual(['tool_call.dispatched', 'tool_call.succeeded']);
  });

  it.each<[string, object, readonly string[]]>([
    ['takes the answer of its own worker for no late one', { kind: 'succeeded', result: { lines: 3 } }, []],
    ['keeps another answer as a late one', { kind: 'succeeded', result: { lines: 4 } }, ['tool_call.late_answer']],
    [
      'keeps a failure as a late one',
      { kind: 'failed', effect: 'done', error: { code: 'tool.refused', message: 'no' } },
      ['tool_call.late_answer'],
    ],
  ])('%s after the hand-over', async (_what, outcome, late) => {
    const world = await executionWorld();
    const call = await world.allowed();
    world.kept.answer = { kind: 'succeeded', result: { lines: 3 } };
    world.dispatcher.answer = async () => {
      await world.handOver(call);
      return outcome as DispatchOutcome;
    };
    await world.work(call);
    expect(await world.find(call)).toMatchObject({ state: 'succeeded', result: { lines: 3 } });
    expect(world.actions()).toEqual(['tool_call.dispatched', 'tool_call.succeeded', ...late]);
  });

  it('is awaited while it is under way, and looked at again when its answer counts no more', async () => {
    const { uow, call, work, find, overdue, dies, kept } = await dying(true);
    overdue();
    const until = uow.now + 5_000;
    kept.answer = { kind: 'under_way', until };
    await work(call);
    expect(await find(call)).toMatchObject({ state: 'executing', attempt: 1, leaseUntil: until });
    kept.answer = { kind: 'unknown', error: { code: 'dispatch.runner_lost', message: 'lost' } };
    await work(call);
    expect(await find(call)).toMatchObject({ state: 'executing' });
    uow.now = until;
    await work(call);
    expect(await find(call)).toMatchObject({ state: 'unknown', attempt: 1, error: { code: 'dispatch.runner_lost' } });
    expect(dies).toHaveBeenCalledTimes(1);
  });

  it('becomes unknown after the last attempt, and under a halt', async () => {
    const { call, attempt, find, overdue, dies } = await dying(true);
    for (let more = 1; more < MAX_ATTEMPTS + 2; more += 1) {
      overdue();
      await attempt();
    }
    expect(dies).toHaveBeenCalledTimes(MAX_ATTEMPTS);
    expect(await find(call)).toMatchObject({ state: 'unknown', attempt: MAX_ATTEMPTS });

    const halted = await dying(true);
    const { stores, home } = halted;
    await halted.atHome((tx) => stores.halts.insert(tx, sampleHalt(home, { kind: 'tenant' })));
    halted.overdue();
    await halted.attempt();
    expect(halted.dies).toHaveBeenCalledTimes(1);
    expect(await halted.find(halted.call)).toMatchObject({ state: 'unknown' });
  });

  it('T42: becomes unknown if Countersign did not write the autonomy document in force', async () => {
    const { call, work, find, overdue, dies, actions, forgeAutonomy } = await dying(true);
    await forgeAutonomy();
    overdue();
    await work(call);
    await work(call);
    expect(dies).toHaveBeenCalledTimes(1);
    expect(await find(call)).toMatchObject({ state: 'unknown', error: { code: 'tool_call.no_answer' } });
    expect(actions()).toEqual(['tool_call.dispatched', 'tool_call.unknown']);
  });

  it('takes the answer to its latest attempt alone', async () => {
    const world = await executionWorld({ idempotent: true });
    const call = await world.allowed();
    world.dispatcher.answer = async ({ attempt }) => {
      if (attempt === 1) {
        world.uow.now += 30_000 + LEASE_MARGIN_MS;
        void world.work(call);
        // The second attempt is in flight, and has no answer, when this one comes.
        while (world.dispatcher.orders.length < 2) await Promise.resolve();
        return { kind: 'succeeded', result: { attempt } };
      }
      return new Promise(() => undefined);
    };
    await world.work(call);
    expect(await world.find(call)).toMatchObject({ state: 'executing', attempt: 2 });
    expect(world.audited().at(-1)).toMatchObject({
      action: 'tool_call.late_answer',
      payload: { attempt: 2, answered_attempt: 1 },
    });
  });

  it('keeps an answer that comes after it was given up as evidence', async () => {
    const world = await executionWorld({ idempotent: false });
    const call = await world.allowed();
    world.dispatcher.answer = async () => {
      world.uow.now += 30_000 + LEASE_MARGIN_MS;
      await world.work(call);
      return { kind: 'succeeded', result: { late: true } };
    };
    await world.work(call);
    expect(await world.find(call)).toMatchObject({ state: 'unknown' });
    expect(world.audited().at(-1)).toMatchObject({
      action: 'tool_call.late_answer',
      payload: { outcome: 'succeeded', result: { late: true } },
    });
  });
});

describe('an unknown call', () => {
  it('is resolved once, by a person in a browser', async () => {
    const world = await executionWorld();
    const call = await world.allowed();
    world.dispatcher.answer = () => ({ kind: 'unknown', error: { code: 'dispatch.timed_out', message: 'late' } });
    await world.work(call);
    const finding = { outcome: 'succeeded', note: 'The service was restarted.' } as const;
    const token = world.home.owner;
    const browser = { ...token, credentialKind: 'browser_session' } as const;
    expect(await world.resolve.execute(token, call.id, finding)).toMatchObject({
      error: { code: 'tool_call.person_only' },
    });
    expect(await world.find(call)).toMatchObject({ state: 'unknown' });
    expect(await world.resolve.execute(browser, call.id, finding)).toMatchObject({ value: { state: 'succeeded' } });
    expect(world.audited().at(-1)).toMatchObject({
      action: 'tool_call.resolved',
      actor: { id: token.personId },
      payload: { ...finding, state: 'succeeded' },
    });
    expect(await world.resolve.execute(browser, call.id, finding)).toMatchObject({
      error: { code: 'tool_call.not_unknown' },
    });
  });
});

describe('an agent that is disabled', () => {
  it('has its allowed calls denied, and those that left come to their outcome', async () => {
    const world = await executionWorld();
    const { home, uow, atHome, find, agent } = world;
    const person = { ...(await world.allowed()).submitter, kind: 'person', id: home.owner.personId, onBehalfOf: null };
    const [waiting, left] = [await world.allowed(), await world.allowed('agent')];
    const other = await world.allowed('executor', { submitter: person as ToolCall['submitter'] });
    await world.take(agent, left.id);
    await atHome((tx) => world.stop.agentDisabled(tx, agent.agentId, { principal: home.admin, at: uow.now }));
    expect(await find(waiting)).toMatchObject({ state: 'denied', denial: { code: 'tool_call.submitter_disabled' } });
    expect(await find(left)).toMatchObject({ state: 'executing' });
    expect(await find(other)).toMatchObject({ state: 'allowed' });
  });

  it('takes no grant any more', async () => {
    const world = await executionWorld();
    const call = await world.allowed('agent');
    world.submitters.disable(world.home, world.agent.agentId);
    expect(await world.take(world.agent, call.id)).toMatchObject({ granted: null });
    expect(await world.find(call)).toMatchObject({ denial: { code: 'tool_call.submitter_disabled' } });
  });
});

describe('the end of a session', () => {
  it('denies its allowed calls, and leaves those that left to their outcome', async () => {
    const world = await executionWorld();
    const { home, uow, atHome, find } = world;
    const session = sampleSession(home);
    const own = { sessionId: session.id };
    const calls = [await world.allowed('executor', own), await world.allowed('agent', own), await world.allowed()];
    const [waiting, left, elsewhere] = calls as [ToolCall, ToolCall, ToolCall];
    await world.take(world.agent, left.id);
    const ended = { session: endedSession(session), principal: home.owner, actor: actorOf(home.owner), at: uow.now };
    await atHome((tx) => world.stop.sessionEnded(tx, ended));
    expect(await find(waiting)).toMatchObject({ state: 'denied', denial: { code: 'tool_call.session_ended' } });
    expect(await find(left)).toMatchObject({ state: 'executing' });
    expect(await find(elsewhere)).toMatchObject({ state: 'allowed' });
  });
});

describe('a halt', () => {
  it('T35: denies the allowed calls that it covers, and lists those that left', async () => {
    const world = await executionWorld();
    const [left, waiting, person] = [
      await world.allowed('agent'),
      await world.allowed(),
      await world.allowed('executor', {
        submitter: {
          ...(await world.allowed()).submitter,
          kind: 'person',
          id: world.home.owner.personId,
          onBehalfOf: null,
        },
      }),
    ];
    await world.take(world.agent, left.id);
    const halt = sampleHalt(world.home, { kind: 'agent', agentId: world.agent.agentId });
    const stopped = await world.atHome((tx) =>
      world.stop.stopCalls(tx, halt.target, { principal: world.home.admin, at: world.uow.now, halt }),
    );
    expect(stopped.denied).toContain(waiting.id);
    expect(stopped.inFlight).toMatchObject([{ tool_call_id: left.id, attempt: 1, tool: 'look@1', state: 'executing' }]);
    expect(await world.find(waiting)).toMatchObject({
      state: 'denied',
      decidedAs: 'cancelled',
      denial: { code: 'tool_call.halted', message: halt.reason },
    });
    expect(await world.find(person)).toMatchObject({ state: 'allowed' });
    await world.work(waiting);
    expect(world.dispatcher.orders).toEqual([]);
  });
});

it('leaves advice alone that lapsed while a halt, the end of its session or a disabling waited for its lock', async () => {
  const world = await executionWorld();
  const { home, agent } = world;
  const session = sampleSession(home);
  const advice = await world.allowed('executor', { sessionId: session.id, executor: null });
  if (advice.state !== 'allowed') throw new Error(`It is ${advice.state}`);
  const by = { principal: home.admin, at: advice.allowedUntil };
  const halt = sampleHalt(home, { kind: 'agent', agentId: agent.agentId });
  const stopped = await world.atHome(async (tx) => {
    await world.stop.sessionEnded(tx, { session: endedSession(session), ...by, actor: actorOf(home.admin) });
    await world.stop.agentDisabled(tx, agent.agentId, by);
    return world.stop.stopCalls(tx, halt.target, { ...by, halt });
  });
  expect(stopped).toEqual({ denied: [], inFlight: [] });
  expect(await world.find(advice)).toMatchObject({ state: 'allowed' });
});
