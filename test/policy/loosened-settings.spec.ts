import type { AutonomyDocument, Decision } from '#lib/formats';
import type { AutonomyInput, ToolFacts } from '#lib/policy-inputs';
import { loosenedBesideCells } from '#lib/autonomy';
import { isLooser, loadPolicyEngine } from '#lib/policy';

const engine = loadPolicyEngine();

type Settings = AutonomyDocument['autonomy'];
type OfEnvironment = NonNullable<Settings['environments']>[string];
type OfTool = NonNullable<Settings['tool_overrides']>[string];

/** For each setting of a block a stricter value and a looser one. A setting without them is a compile error. */
type Loosenings<Block> = {
  readonly [Setting in keyof Block]-?: readonly [stricter: Block[Setting], looser: Block[Setting]];
};

const ofTool: Loosenings<OfTool> = {
  mode: ['plan_only', 'canary_only'],
  allowed_approvers: [['SRELead'], ['SRELead', 'Developer']],
  require_two_approvers: [true, undefined],
  quorum: [[{ count: 2, roles: ['SRELead'] }], undefined],
  require_mfa: [true, undefined],
  require_approval: [true, undefined],
  max_batch_percent: [10, 20],
};
const ofEnvironment: Loosenings<OfEnvironment> = {
  ...ofTool,
  require_two_approvers: [true, false],
  require_mfa: [true, false],
  require_approval: [true, false],
  simulation_valid_minutes: [10, 20],
  approval_valid_minutes: [10, 20],
  escalation: [{ after_minutes: 10, to: ['SRELead'] }, undefined],
};
const ofTenant: Loosenings<Omit<Settings, keyof OfEnvironment | 'environments' | 'tool_overrides'>> = {
  calls_per_session: [10, 20],
  calls_per_hour: [10, 20],
  calls_per_turn: [1, 2],
  approval_seconds: [10, 20],
  sessions_per_agent: [1, 2],
};

const settings: Settings = { mode: 'full_auto', allowed_approvers: ['SRELead', 'Developer'] };
const inEnvironments = (block: OfEnvironment): Settings => ({
  ...settings,
  environments: { production: block, staging: block },
});
const inTools = (block: OfTool): Settings => ({
  ...settings,
  environments: { production: {}, staging: {} },
  tool_overrides: { restart: block },
});

/** The cells of one tool, in production and outside. */
function cellsOf(document: Settings): readonly Decision[] {
  return [true, false].map((production) => {
    const name = production ? 'production' : 'staging';
    const input: AutonomyInput = {
      now: 1_790_000_000_000,
      tenant_id: 'tenant-1',
      autonomy: { autonomy: document },
      tool: { ...restart, risk: production ? 'state_change_prod' : 'state_change_nonprod' },
      environment: { id: name, name, production, version: 1 },
    };
    return engine.evaluate('autonomy', input).decision;
  });
}

const restart: ToolFacts = {
  name: 'restart',
  version: 1,
  risk: 'state_change_prod',
  idempotent: true,
  scope: 'environment',
  effect: 'modify',
  surface: 'asset',
  requires_plan: true,
  requires_hitl: 'configurable',
  simulated_by: null,
  simulation: 'not_applicable',
  canary: true,
};

const loosens = (before: Settings, after: Settings): boolean =>
  loosenedBesideCells({ autonomy: before }, { autonomy: after }).length > 0 ||
  cellsOf(after).some((cell, index) => isLooser(cellsOf(before)[index] ?? cell, cell));

const rows = <Block>(group: string, loosenings: Loosenings<Block>, write: (block: Partial<Block>) => Settings) =>
  Object.entries(loosenings).map(([name, pair]) => {
    const [stricter, looser] = (pair as readonly unknown[]).map((value) =>
      write((value === undefined ? {} : { [name]: value }) as Partial<Block>),
    );
    return [`${group}, ${name}`, stricter ?? settings, looser ?? settings] as const;
  });

describe('a looser autonomy document waits for a second admin', () => {
  it.each([
    ...rows('of the tenant', ofTenant, (block) => ({ ...settings, ...block })),
    ...rows('of an environment', ofEnvironment, inEnvironments),
    ...rows('of a tool', ofTool, inTools),
  ])('by one setting: %s', (_, stricter, looser) => {
    expect(loosens(stricter, looser)).toBe(true);
    expect(loosens(stricter, stricter)).toBe(false);
  });
});
