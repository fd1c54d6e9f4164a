import type { Json } from '#lib/canonical';
import { digestOf } from '#lib/kernel';
import { noDecision } from '#lib/policy';
import type { Decision } from '#lib/formats';
import { fakeWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import { unasked } from '../../../../foundation/kernel/src/fake-unasked.js';
import { sampleTool } from '../../../../registry/tool/src/application/fake-tool.js';
import { toolInWorld } from '../domain/proposed-world.js';
import type { LocatedDecision } from '../domain/located-decision.js';
import { createImpact, type ImpactRows } from '../create-impact.js';

const allow: Decision = {
  outcome: 'allow',
  reasons: [{ code: 'autonomy.executes', message: 'executes', rule: 'countersign.matrix' }],
  obligations: { approvals: [], mfa: false, phases: 'all', audit_level: 'full', valid_minutes: 60 },
  effective: { mode: 'full_auto', source: 'mode' },
};
const input: Record<string, Json> = { now: 1, actor: { kind: 'agent', id: 'bot' } };
const stored: LocatedDecision = {
  id: 'decision',
  entrypoint: 'tool_call',
  input,
  inputDigest: digestOf('policy-input', input),
  decision: noDecision('policy.no_decision'),
  decidedAt: 1,
  agent: 'bot',
  subject: { type: 'tool_call', id: 'call' },
  within: [],
};
const tool = sampleTool('restart');
const rows: ImpactRows = {
  ...{ reports: unasked(), findings: unasked(), stamps: unasked() },
  agents: { names: () => Promise.resolve(new Map([['bot', 'shop-bot']])) },
  decisions: {
    monthsAway: () => Promise.resolve([]),
    count: () => Promise.resolve([{ entrypoint: 'tool_call', outcome: 'deny', total: 1 }]),
    batch: (_tx, _period, { after }) => Promise.resolve(after === null ? [stored] : []),
  },
  worlds: {
    present: () =>
      Promise.resolve({
        tools: [tool],
        environmentNames: {},
        world: {
          autonomy: null,
          tools: { restart: toolInWorld(tool) },
          environments: { live: true },
          safeTools: {},
        },
      }),
  },
};

describe('the impact of other policies', () => {
  it('takes every decision and every cell again with both policies, though no setting moves', async () => {
    const { uow, home } = fakeWorld();
    const { impactOfPolicies } = createImpact({
      ...{ uow, rows, jobs: unasked(), outbox: unasked(), changes: unasked() },
      policy: unasked({ evaluate: () => noDecision('policy.no_decision') }),
      census: { count: () => Promise.resolve({ holders: [], enrolled: [], agents: [], roles: [] }) },
    });
    let told = 0;
    const other = { bundleRevision: 'sha256:2', evaluate: () => allow };
    const { report, agents, groups, cells } = await impactOfPolicies.execute(
      home.tenantId,
      other,
      30,
      () => (told += 1),
    );
    expect(report).toMatchObject({
      phase: 'done',
      bundleRevision: 'sha256:2',
      progress: { tally: { looked: 1, looser: 1 } },
    });
    expect(groups.listed).toMatchObject([{ kind: { agent: 'bot', from: 'deny', to: 'allow' }, count: 1 }]);
    expect(cells.map(({ mode, inForce }) => [mode, inForce])).toEqual([
      ['plan_only', true],
      ['canary_only', false],
      ['full_auto', false],
    ]);
    expect(agents.get('bot')).toBe('shop-bot');
    expect(told).toBe(2);
  });
});
