import fc from 'fast-check';
import type { RunStepInput } from '#lib/policy-inputs';
import { loadPolicyEngine } from '#lib/policy';
import { stepPlanFacts } from '../../libs/stages/run/src/domain/step-plan-facts.js';
import { policyInputs } from '../arbitraries/policy-inputs.js';
import { timesInputs } from '../arbitraries/times-inputs.js';

const engine = loadPolicyEngine();

const condensed = ({ plan, tools, step, ...input }: RunStepInput): RunStepInput => ({
  ...input,
  tools,
  step,
  plan: stepPlanFacts(plan, tools, { phaseIndex: step.phase_index, seq: step.seq }),
});

describe('the facts of a plan for one of its steps', () => {
  it('lead to the decision that the whole plan leads to', () => {
    const outcomes = new Map<string, number>();
    fc.assert(
      fc.property(policyInputs.run_step, (input) => {
        const { decision } = engine.evaluate('run_step', input);
        outcomes.set(decision.outcome, (outcomes.get(decision.outcome) ?? 0) + 1);
        expect(engine.evaluate('run_step', condensed(input)).decision).toEqual(decision);
      }),
      { numRuns: timesInputs(750) },
    );
    expect(outcomes.get('allow') ?? 0).toBeGreaterThan(timesInputs(5));
    expect(outcomes.get('deny') ?? 0).toBeGreaterThan(20);
  });

  it('do not grow with the calls of a batch', () => {
    const [sample] = fc.sample(policyInputs.run_step, { numRuns: 1, seed: 1 });
    const [key] = Object.keys(sample?.tools ?? {});
    if (sample === undefined || key === undefined) throw new Error('the sample has no tool');
    const factsOf = (calls: number): RunStepInput['plan'] => ({
      ...sample.plan,
      phases: [
        {
          index: 0,
          name: 'one',
          canary: false,
          has_rollback_condition: true,
          batches: [
            {
              index: 0,
              calls: Array.from({ length: calls }, (_, seq) => ({
                seq,
                tool: key,
                targets: ['web-1'],
                compensation: null,
                compensation_targets: [],
                shell: null,
                compensation_shell: null,
                paths: null,
                compensation_paths: null,
              })),
            },
          ],
        },
      ],
    });
    const seqs = (calls: number, seq: number): readonly number[] =>
      stepPlanFacts(factsOf(calls), sample.tools, { phaseIndex: 0, seq }).phases.flatMap(({ batches }) =>
        batches.flatMap((batch) => batch.calls.map((call) => call.seq)),
      );
    expect(seqs(500, 250)).toEqual([0, 250]);
    expect(seqs(500, 0)).toEqual([0, 1]);
    expect(seqs(1, 0)).toEqual([0]);
  });
});
