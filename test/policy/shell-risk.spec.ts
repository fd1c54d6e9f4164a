import fc, { type Arbitrary } from 'fast-check';
import { PATH_CLASSES, SHELL_CLASSES, type ExpandedLine, type ExpandedPaths, type Decision } from '#lib/formats';
import type {
  BreakGlassInput,
  PathFacts,
  PlanFacts,
  PlanInput,
  RunStepInput,
  ShellFacts,
  ToolFacts,
} from '#lib/policy-inputs';
import { loadPolicyEngine } from '#lib/policy';
import { judgedFacts, riskOfLine, riskOfPaths } from '#lib/tool';
import { policyInputs } from '../arbitraries/policy-inputs.js';
import { timesInputs } from '../arbitraries/times-inputs.js';

const engine = loadPolicyEngine();
const codesOf = ({ reasons }: Decision): readonly string[] => reasons.map(({ code }) => code);

const STRICTNESS: Readonly<Record<Decision['outcome'], number>> = { allow: 0, require_approval: 1, deny: 2 };

const forbidden: Arbitrary<ShellFacts> = fc.oneof(
  fc.record({ tier: fc.constant(3 as const), class: fc.constantFrom(...SHELL_CLASSES) }),
  fc.record({ tier: fc.constantFrom(1 as const, 2 as const), class: fc.constant('ESCALATION' as const) }),
);

/** The plan with another verdict on one of its calls, or on the undo of it. */
const judged = (plan: PlanFacts, at: number, verdict: Partial<PlanFacts['phases'][0]['batches'][0]['calls'][0]>) => {
  let index = 0;
  return {
    ...plan,
    phases: plan.phases.map((phase) => ({
      ...phase,
      batches: phase.batches.map((batch) => ({
        ...batch,
        calls: batch.calls.map((call) => (index++ === at ? { ...call, ...verdict } : call)),
      })),
    })),
  };
};
const countOf = (plan: PlanFacts): number =>
  plan.phases.flatMap(({ batches }) => batches.flatMap(({ calls }) => calls)).length;

type InputWithPlan = PlanInput | RunStepInput | BreakGlassInput;

/** An input whose plan holds a denied line at one of its calls or undos. */
const withDenied = <Input extends InputWithPlan>(inputs: Arbitrary<Input>): Arbitrary<Input> =>
  fc
    .tuple(
      inputs.filter(({ plan }) => countOf(plan) > 0),
      fc.nat(),
      forbidden,
      fc.constantFrom('shell', 'compensation_shell'),
    )
    .map(([input, at, verdict, side]) => ({
      ...input,
      plan: judged(input.plan, at % countOf(input.plan), { [side]: verdict }),
    }));

describe('ADR-007: a denied command line stays denied', () => {
  it('T16: under break-glass', () => {
    let alone = 0;
    fc.assert(
      fc.property(withDenied(policyInputs.break_glass), (input) => {
        const { decision } = engine.evaluate('break_glass', input);
        expect(decision.outcome).toBe('deny');
        if (!codesOf(decision).some((code) => code.startsWith('plan.')))
          expect(codesOf(decision)).toContain('shell.denied');
        if (codesOf(decision).every((code) => code === 'shell.denied')) alone += 1;
      }),
      { numRuns: 1_000 },
    );
    // Plans that nothing else held back: break-glass was on, by a person with the role and the factor.
    expect(alone).toBeGreaterThan(3);
  });

  it('at every stage of a plan, and at every step of its run', () => {
    fc.assert(
      fc.property(withDenied(policyInputs.plan), withDenied(policyInputs.run_step), (plan, step) => {
        expect(engine.evaluate('plan', plan).decision.outcome).toBe('deny');
        expect(engine.evaluate('run_step', step).decision.outcome).toBe('deny');
      }),
      { numRuns: timesInputs(250) },
    );
  });

  it('T53: if it is denied only when its step is dispatched, rolling back and break-glass included', () => {
    fc.assert(
      fc.property(policyInputs.run_step, forbidden, (input, shell) => {
        const { decision } = engine.evaluate('run_step', { ...input, step: { ...input.step, shell } });
        expect(decision.outcome).toBe('deny');
        expect(codesOf(decision)).toContain('shell.denied');
      }),
      { numRuns: timesInputs(250) },
    );
  });
});

describe('the risk of a command line', () => {
  const line = (tier: 1 | 2, of: ExpandedLine['class'], production: boolean): { shell: ExpandedLine } => ({
    shell: {
      argument: '/line',
      shell: 'bash',
      tier,
      class: of,
      risk: riskOfLine({ tier }, production),
      tree: `sha256:${'0'.repeat(64)}`,
    },
  });

  it('is the same to policies as to everything else that reads it', () => {
    const audit = {
      read_only: 'basic',
      plan_only: 'detailed',
      state_change_nonprod: 'full',
      state_change_prod: 'full_with_evidence',
    };
    fc.assert(
      fc.property(policyInputs.tool_call, fc.constantFrom(1 as const, 2 as const), (input, tier) => {
        const line = { tier, class: 'WRITE', not_executable: null } as const;
        const { decision } = engine.evaluate('tool_call', { ...input, paths: null, shell: line });
        expect(decision.obligations.audit_level).toBe(audit[riskOfLine({ tier }, input.environment.production)]);
      }),
      { numRuns: timesInputs(100) },
    );
  });

  it('decides about a plan as a tool of that risk would', () => {
    const outcomes = new Set<string>();
    fc.assert(
      fc.property(
        policyInputs.plan,
        fc.constantFrom(1 as const, 2 as const),
        fc.constantFrom(...SHELL_CLASSES.filter((of) => of !== 'ESCALATION')),
        (input, tier, of) => {
          // A read of secrets counts as a change, but changes no target: policies/safety has its test.
          fc.pre(tier === 1 || of !== 'READ_ONLY');
          const lined = {
            ...input,
            plan: everywhere(input.plan, { tier, class: of }),
          };
          const plain = {
            ...input,
            plan: everywhere(input.plan, null),
            tools: Object.fromEntries(
              Object.entries(input.tools).map(([key, tool]) => [
                key,
                judgedFacts(tool, line(tier, of, input.environment.production)),
              ]),
            ),
          };
          const decision = engine.evaluate('plan', plain).decision;
          outcomes.add(decision.outcome);
          expect(engine.evaluate('plan', lined).decision).toEqual(decision);
        },
      ),
      { numRuns: timesInputs(600) },
    );
    expect([...outcomes].sort()).toEqual(['allow', 'deny', 'require_approval']);
  });
});

/** The plan with the same verdicts on every call and undo. */
const everywhere = (plan: PlanFacts, verdict: ShellFacts | null, paths: PathFacts | null = null): PlanFacts => ({
  ...plan,
  phases: plan.phases.map((phase) => ({
    ...phase,
    batches: phase.batches.map((batch) => ({
      ...batch,
      calls: batch.calls.map((call) => ({
        ...call,
        shell: verdict,
        compensation_shell: call.compensation === null ? null : verdict,
        paths,
        compensation_paths: call.compensation === null ? null : paths,
      })),
    })),
  })),
});

describe('T52: the risk of paths', () => {
  const named = (tool: ToolFacts, of: PathFacts, production: boolean): { paths: ExpandedPaths } => ({
    paths: { reads: ['/path'], writes: [], ...of, risk: riskOfPaths(tool.risk, of, production) },
  });
  const verdict: Arbitrary<PathFacts> = fc.record({
    tier: fc.constantFrom(1 as const, 2 as const),
    class: fc.constantFrom(...PATH_CLASSES),
  });

  it('decides about a plan as a tool of that risk would', () => {
    const outcomes = new Set<string>();
    fc.assert(
      fc.property(policyInputs.plan, verdict, (input, of) => {
        fc.pre(of.tier === 1 || of.class !== 'READ_ONLY');
        const judgedTools = Object.entries(input.tools).map(
          ([key, tool]) => [key, judgedFacts(tool, named(tool, of, input.environment.production))] as const,
        );
        const plain = { ...input, plan: everywhere(input.plan, null), tools: Object.fromEntries(judgedTools) };
        const { decision } = engine.evaluate('plan', plain);
        outcomes.add(decision.outcome);
        expect(engine.evaluate('plan', { ...input, plan: everywhere(input.plan, null, of) }).decision).toEqual(
          decision,
        );
      }),
      { numRuns: timesInputs(600) },
    );
    expect([...outcomes].sort()).toEqual(['allow', 'deny', 'require_approval']);
  });

  it('never loosens: a call on any paths is decided on at least as strictly as the same call without them', () => {
    let stricter = 0;
    fc.assert(
      fc.property(policyInputs.tool_call, verdict, (input, paths) => {
        const [with_, without] = [paths, null].map(
          (each) => engine.evaluate('tool_call', { ...input, shell: null, paths: each }).decision,
        );
        if (with_ === undefined || without === undefined) throw new Error('there are two');
        if (STRICTNESS[with_.outcome] > STRICTNESS[without.outcome]) stricter += 1;
        expect(STRICTNESS[with_.outcome]).toBeGreaterThanOrEqual(STRICTNESS[without.outcome]);
      }),
      { numRuns: timesInputs(500) },
    );
    expect(stricter).toBeGreaterThan(timesInputs(5));
  });
});
