import { newId, type DecisionId, type Principal, type SessionId } from '#lib/kernel';
import { fakeWorld, sampleAgent } from '../../../../foundation/kernel/src/fake-tenant.js';
import { definitionText, sampleTool } from '../../../../registry/tool/src/application/fake-tool.js';
import { sampleSession } from '../../../session/src/application/fake-session.js';
import { sampleLine, sampleToolCall } from './fake-tool-call.js';
import { fakeToolCalls } from './fake-tool-calls.js';

const SHELL = {
  risk: 'state_change_nonprod',
  effect: 'modify',
  idempotent: false,
  requires_plan: false,
  simulation: 'not_applicable',
  surface: 'terminal',
  shell: { argument: '/line', shell: 'bash' },
  parameters: { type: 'object', properties: { line: { type: 'string' } }, additionalProperties: false },
} as const;
const PAGE = { limit: 10, after: null };

describe('the calls of a session', () => {
  it('are read newest first, with what is at stake and the command line, by its agents and by people', async () => {
    const world = fakeWorld();
    const { uow, home } = world;
    const { parts, stores, rows, sessions } = fakeToolCalls(world);
    const { calls } = rows;
    const { tools } = stores;
    const { listSessionCalls: listing } = parts;
    const session = sampleSession(home);
    const [sessionId, decisionId] = [session.id, newId<DecisionId>()];
    const args = { line: 'sudo ls' };
    await uow.run(home.tenantId, async (tx) => {
      await sessions.insert(tx, session);
      for (const tool of [sampleTool('shell', SHELL), sampleTool('look')])
        await tools.addVersion(tx, tool, definitionText(tool.definition), home.admin.personId, 0);
      const command = { shell: sampleLine(args.line), arguments: args, askedAt: 7_000 };
      await calls.insert(tx, sampleToolCall(home, { sessionId, decisionId, ...command }));
      const look = { tool: { name: 'look', version: 1 }, shell: null, arguments: {} };
      await calls.insert(tx, sampleToolCall(home, { sessionId, decisionId, ...look }));
      await calls.insert(tx, sampleToolCall(home, { sessionId: newId<SessionId>(), decisionId }));
    });
    for (const by of [home.agent, home.admin])
      expect(await listing.execute(by, sessionId, PAGE)).toMatchObject({
        ok: true,
        value: {
          session: { id: sessionId },
          calls: [
            { call: { tool: { name: 'shell' } }, level: 'critical', category: 'terminal-write', command: 'sudo ls' },
            { call: { tool: { name: 'look' } }, level: 'low', category: 'read', command: null },
          ],
        },
      });
    // An agent reads its own calls alone, in a session that it shares, too.
    const other = sampleAgent(home.owner);
    const shared = sampleSession(home, { agentIds: [home.agent.agentId, other.agentId] });
    await uow.run(home.tenantId, async (tx) => {
      await sessions.insert(tx, shared);
      await calls.insert(tx, sampleToolCall(home, { sessionId: shared.id, decisionId }));
    });
    const seen = async (by: Principal) => {
      const listed = await listing.execute(by, shared.id, PAGE);
      return listed.ok ? listed.value.calls.length : null;
    };
    expect([await seen(home.agent), await seen(other), await seen(home.admin)]).toEqual([1, 0, 1]);
    const stranger = sampleAgent(home.owner);
    expect(await listing.execute(stranger, sessionId, PAGE)).toMatchObject({ error: { code: 'resource.not_found' } });
  });
});
