import fc, { type Arbitrary } from 'fast-check';
import { SHELL_CLASSES, type Decision } from '#lib/formats';
import {
  AS_STRICT_MODES,
  type EnvironmentFacts,
  type PathFacts,
  SESSION_LEVELS,
  SESSION_MODES,
  type SessionFacts,
  type SessionMode,
  type ShellFacts,
  type ToolCallInput,
  type ToolFacts,
} from '#lib/policy-inputs';
import { isLooser, loadPolicyEngine } from '#lib/policy';
import { liftsRisk, riskOfPaths } from '#lib/tool';
import { loadWasmPolicy } from '../../libs/rules/policy/src/adapters/load-wasm-policy.js';
import { policyInputs } from '../arbitraries/policy-inputs.js';
import { timesInputs } from '../arbitraries/times-inputs.js';

const engine = loadPolicyEngine();
const decide = (input: ToolCallInput): Decision => engine.evaluate('tool_call', input).decision;
const codesOf = (decision: Decision): string[] => decision.reasons.map(({ code }) => code);

interface SessionCall extends ToolCallInput {
  readonly session: SessionFacts;
}
// Most calls of the general arbitrary are denied for other reasons, and would compare one deny with another.
const sessionCall: Arbitrary<SessionCall> = policyInputs.tool_call
  .filter((input): input is SessionCall => input.session !== null)
  .map((input) => ({
    ...input,
    actor: { ...input.actor, scopes: ['run'] },
    tool: { ...input.tool, requires_plan: false, simulation: 'not_applicable' as const },
  }));

const forbidden: Arbitrary<ShellFacts> = fc.oneof(
  fc.record({ tier: fc.constant(3 as const), class: fc.constantFrom(...SHELL_CLASSES) }),
  fc.record({ tier: fc.constantFrom(1 as const, 2 as const), class: fc.constant('ESCALATION' as const) }),
);

const EFFECTS: Readonly<Partial<Record<string, 'read' | 'destructive'>>> = {
  READ_ONLY: 'read',
  DESTRUCTIVE: 'destructive',
};

/** The tool as its paths are judged. */
const lifted = (tool: ToolFacts, paths: PathFacts, { production }: EnvironmentFacts): ToolFacts => ({
  ...tool,
  risk: riskOfPaths(tool.risk, paths, production),
  effect: liftsRisk(paths) && tool.effect === 'read' ? 'modify' : tool.effect,
});

/**
 * The answer of the autonomy document alone. Outside a session a token asks a person as in a session. So a person makes the call
 * in a browser. A command line beyond Tier 1 and grave paths ask there as well. So they give way to a tool of their risk and
 * effect.
 */
function autonomyAlone(asked: ToolCallInput): Decision {
  const input: ToolCallInput = { ...asked, actor: { ...asked.actor, kind: 'person', via: 'browser' } };
  const { shell, paths, tool, environment } = input;
  if (paths !== null) return decide({ ...input, session: null, paths: null, tool: lifted(tool, paths, environment) });
  if (shell === null || shell.tier === 3 || shell.class === 'ESCALATION' || shell.not_executable !== null)
    return decide({ ...input, session: null });
  const changed = environment.production ? 'state_change_prod' : 'state_change_nonprod';
  const risk = shell.tier === 1 ? 'read_only' : changed;
  const judged = { ...tool, risk, effect: EFFECTS[shell.class] ?? 'modify' } as const;
  return decide({ ...input, session: null, shell: null, tool: judged });
}

/** Every change of a session's settings that must not loosen: before and after, other settings as they are. */
const tightenings: readonly (readonly [Partial<SessionFacts>, Partial<SessionFacts>])[] = [
  ...SESSION_LEVELS.flatMap((before, index) =>
    SESSION_LEVELS.slice(index).map((after) => [{ level: before }, { level: after }] as const),
  ),
  ...SESSION_MODES.flatMap((before) =>
    AS_STRICT_MODES[before].map((after) => [{ mode: before }, { mode: after }] as const),
  ),
  ...(['tiers', 'levels'] as const).map((before) => [{ preset: before }, { preset: null }] as const),
  [{ trusted: true }, { trusted: false }],
];

describe('a session only tightens', () => {
  it('lets nothing pass that the autonomy document holds back', () => {
    const outcomes = new Map<string, number>();
    fc.assert(
      fc.property(sessionCall, (input) => {
        const [outside, inside] = [autonomyAlone(input), decide(input)];
        const pair = `${outside.outcome} ${inside.outcome}`;
        outcomes.set(pair, (outcomes.get(pair) ?? 0) + 1);
        expect(isLooser(outside, inside)).toBe(false);
      }),
      { numRuns: timesInputs(500) },
    );
    expect([...outcomes.keys()].sort()).toEqual([
      'allow allow',
      'allow require_approval',
      'deny deny',
      'require_approval require_approval',
    ]);
  });

  it('lets nothing pass at a stricter level or mode, without a preset or without trust, that it held back before', () => {
    fc.assert(
      fc.property(sessionCall, fc.constantFrom(...tightenings), (input, [before, after]) => {
        const at = (settings: Partial<SessionFacts>): Decision =>
          decide({ ...input, session: { ...input.session, ...settings } });
        expect(isLooser(at(before), at(after))).toBe(false);
      }),
      { numRuns: timesInputs(400) },
    );
  });

  it('names for each mode every mode that loosens nothing', () => {
    const answers = fc.sample(sessionCall, { numRuns: 400, seed: 1 }).map((input) => {
      const inMode = (mode: SessionMode): Decision =>
        decide({ ...input, session: { ...input.session, preset: 'modes', mode, trusted: false } });
      return Object.fromEntries(SESSION_MODES.map((mode) => [mode, inMode(mode)])) as Record<SessionMode, Decision>;
    });
    for (const before of SESSION_MODES) {
      const asStrict = SESSION_MODES.filter((after) => !answers.some((of) => isLooser(of[before], of[after])));
      expect([before, asStrict]).toEqual([before, AS_STRICT_MODES[before]]);
    }
  });

  it('never allows a production state change, nor asks about one', () => {
    fc.assert(
      fc.property(sessionCall, (input) => {
        const environment = { id: 'env-production', name: 'production', production: true, version: 1 };
        const decision = decide({ ...input, environment });
        const { paths, shell, tool } = input;
        const lifts = tool.risk.startsWith('state_change') || (paths !== null && liftsRisk(paths));
        const changes = shell === null ? lifts : shell.tier > 1;
        if (changes) expect(decision.outcome).toBe('deny');
      }),
      { numRuns: timesInputs(150) },
    );
  });

  it('trust answers the preset alone: an approval that autonomy asks for is still asked for', () => {
    fc.assert(
      fc.property(sessionCall, (input) => {
        const outside = autonomyAlone(input);
        const trusted = decide({ ...input, session: { ...input.session, trusted: true } });
        if (input.paths !== null && liftsRisk(input.paths)) {
          // Nor does it cover paths of code or secrets (T52).
          const untrusted = decide({ ...input, session: { ...input.session, trusted: false } });
          expect(trusted).toEqual(untrusted);
          return;
        }
        // A trust never stands for the word to type.
        const asks = outside.outcome === 'allow' && trusted.obligations.confirm_word !== undefined;
        expect(trusted.outcome).toBe(asks ? 'require_approval' : outside.outcome);
        if (outside.outcome !== 'deny' && !asks) {
          const { confirm_word: _, ...obligations } = trusted.obligations;
          expect(obligations).toEqual(outside.obligations);
        }
      }),
      { numRuns: timesInputs(150) },
    );
  });
});

describe('a line that no executor could execute', () => {
  it('is denied in every session and outside of one, trusted or not', () => {
    fc.assert(
      fc.property(policyInputs.tool_call, (input) => {
        const line = { tier: 1, class: 'READ_ONLY', not_executable: 'A runner does not execute case.' } as const;
        const decision = decide({ ...input, shell: line, paths: null });
        expect(decision.outcome).toBe('deny');
        expect(codesOf(decision)).toContain('shell.not_executable');
      }),
      { numRuns: timesInputs(100) },
    );
  });
});

describe('Tier 3 and ESCALATION are denied', () => {
  it('in every session, and outside of one', () => {
    fc.assert(
      fc.property(policyInputs.tool_call, forbidden, (input, shell) => {
        const decision = decide({ ...input, shell: { ...shell, not_executable: null } });
        expect(decision.outcome).toBe('deny');
        expect(codesOf(decision)).toContain('shell.denied');
      }),
      { numRuns: timesInputs(150) },
    );
  });

  // No plan brings a command line yet. The rule stands among those that break-glass does not lift, so none will pass.
  it.each(['break_glass', 'run_step', 'plan'] as const)('by %s, if its input brings a command line', (entrypoint) => {
    const wasm = loadWasmPolicy(new WebAssembly.Module(engine.bundle.wasm), 1_024);
    const answer = (input: object): Decision => {
      const [only] = wasm.evaluate(input, `countersign/${entrypoint}/decision`) as [{ result: Decision }];
      return only.result;
    };
    const allowed = fc
      .sample<object>(policyInputs[entrypoint], { numRuns: 800, seed: 2 })
      .filter((input) => answer(input).outcome === 'allow');
    expect(allowed.length).toBeGreaterThan(5);
    for (const [index, shell] of fc.sample(forbidden, { numRuns: allowed.length, seed: 3 }).entries()) {
      const decision = answer({ ...allowed[index], shell });
      expect([decision.outcome, codesOf(decision)]).toEqual(['deny', expect.arrayContaining(['shell.denied'])]);
    }
  });
});
