import { SHELL_CLASSES, TOOL_EFFECTS, TOOL_RISKS, TOOL_SCOPES, TOOL_SURFACES, type Decision } from '#lib/formats';
import {
  type PolicyInput,
  SESSION_LEVELS,
  SESSION_MODES,
  SESSION_PRESETS,
  type SessionFacts,
  type ToolCallInput,
} from '#lib/policy-inputs';
import { loadPolicyEngine } from '#lib/policy';

const engine = loadPolicyEngine();

type Settings = Omit<SessionFacts, 'trusted'>;
type Change = PolicyInput<'session_change'>;
type Call = Pick<ToolCallInput, 'tool' | 'shell' | 'paths'>;

const facts = {
  now: 1_790_000_000_000,
  tenant_id: 'tenant-1',
  autonomy: { autonomy: { mode: 'full_auto' as const } },
  environment: { id: 'env-staging', name: 'staging', production: false, version: 1 },
};
const AGENT: Change['actor'] = { kind: 'agent', id: 'agent-1', scopes: ['run'], via: 'token' };

const toolOf = (members: Partial<ToolCallInput['tool']>): ToolCallInput['tool'] => ({
  name: 'a_tool',
  version: 1,
  risk: 'state_change_nonprod',
  idempotent: true,
  scope: 'asset',
  effect: 'modify',
  surface: 'terminal',
  requires_plan: false,
  requires_hitl: 'never',
  simulated_by: null,
  simulation: 'not_applicable',
  canary: false,
  ...members,
});

/** Every tool and every verdict that a call can have. */
const CALLS: readonly Call[] = [
  ...TOOL_RISKS.flatMap((risk) =>
    TOOL_EFFECTS.flatMap((effect) =>
      TOOL_SURFACES.flatMap((surface) =>
        TOOL_SCOPES.map((scope) => ({ tool: toolOf({ risk, effect, surface, scope }), shell: null, paths: null })),
      ),
    ),
  ),
  ...([1, 2, 3] as const).flatMap((tier) =>
    SHELL_CLASSES.map((of) => ({ tool: toolOf({}), shell: { tier, class: of, not_executable: null }, paths: null })),
  ),
  ...TOOL_EFFECTS.flatMap((effect) =>
    (['READ_ONLY', 'UNKNOWN'] as const).map((of) => ({
      tool: toolOf({ effect, surface: 'workspace' }),
      shell: null,
      paths: { tier: 2 as const, class: of },
    })),
  ),
];

/** Every preset with every level and mode. */
const SETTINGS: readonly Settings[] = [...SESSION_PRESETS, null].flatMap((preset) =>
  SESSION_LEVELS.flatMap((level) => SESSION_MODES.map((mode) => ({ preset, level, mode }))),
);

/** The answer to a call under settings. 0 is allowed, 1 asked about, 2 asked about with a word to type, 3 denied. */
function strictness(settings: Settings, call: Call): number {
  const input: ToolCallInput = {
    ...facts,
    ...call,
    actor: AGENT,
    session: { ...settings, trusted: false },
    halts: [],
  };
  const { outcome, obligations } = engine.evaluate('tool_call', input).decision;
  if (outcome === 'deny') return 3;
  return outcome === 'allow' ? 0 : 1 + Number('confirm_word' in obligations);
}

const change = (before: Settings, after: Settings, actor = AGENT): Decision =>
  engine.evaluate('session_change', { ...facts, actor, before, after }).decision;

const answers = new Map<string, readonly number[]>();
/** The answers to every call, in order. */
const answersUnder = (settings: Settings): readonly number[] => {
  const { preset, level, mode } = settings;
  // A test below says that other presets read neither.
  const key = JSON.stringify([preset, [null, 'levels'].includes(preset) && level, preset === 'modes' && mode]);
  const known = answers.get(key) ?? CALLS.map((call) => strictness(settings, call));
  answers.set(key, known);
  return known;
};
const loosens = (before: Settings, after: Settings): boolean =>
  answersUnder(before).some((answer, index) => answer > (answersUnder(after)[index] ?? 0));

/** One of all settings that answer alike by name. */
const DISTINCT = SETTINGS.filter(
  ({ preset, level, mode }) =>
    (preset === null || preset === 'levels' || level === 'SUPERVISED') &&
    (preset === 'modes' || mode === 'ask-on-write'),
).filter(({ preset, level }) => preset !== 'modes' || level === 'SUPERVISED');

describe('T55: a change of a session by an agent', () => {
  it('compares settings that differ, by calls with every answer', () => {
    expect(DISTINCT).toHaveLength(14);
    const seen = DISTINCT.map((settings) => JSON.stringify(answersUnder(settings)));
    expect(new Set(seen).size).toBeGreaterThan(10);
    const all = new Set(DISTINCT.flatMap((settings) => [...answersUnder(settings)]));
    expect([...all].sort()).toEqual([0, 1, 2, 3]);
  });

  it.each(DISTINCT.map((before) => [JSON.stringify(before), before] as const))(
    'is denied exactly if any call is answered less strictly afterwards, from %s',
    (_name, before) => {
      const wrong = DISTINCT.filter((after) => {
        const { outcome, reasons } = change(before, after);
        const [expected, code] = loosens(before, after)
          ? ['deny', 'session.loosened_by_token']
          : ['allow', 'session.tightens'];
        return outcome !== expected || reasons.map((reason) => reason.code).join() !== code;
      });
      expect(wrong).toEqual([]);
    },
  );

  it('loosens nothing by a level or a mode that its preset does not read', () => {
    for (const preset of ['tiers', 'cautious'] as const) {
      const before: Settings = { preset, level: 'MANUAL', mode: 'always-ask' };
      const after: Settings = { preset, level: 'FULL_AUTO', mode: 'allow-safe-readonly' };
      expect(change(before, after).outcome).toBe('allow');
      expect(CALLS.map((call) => strictness(after, call))).toEqual(CALLS.map((call) => strictness(before, call)));
    }
  });
});

it('any change is a person’s, in a browser and in Slack', () => {
  for (const via of ['browser', 'slack'] as const)
    for (const before of DISTINCT)
      for (const after of DISTINCT.slice(0, 4))
        expect(change(before, after, { ...AGENT, kind: 'person', via }).outcome).toBe('allow');
});
