import fc from 'fast-check';
import type { Decision } from '#lib/formats';
import type { AutonomyInput, ToolCallInput } from '#lib/policy-inputs';
import { isLooser, loadPolicyEngine } from '#lib/policy';
import { policyInputs } from '../arbitraries/policy-inputs.js';
import { timesInputs } from '../arbitraries/times-inputs.js';

const engine = loadPolicyEngine();
const decide = (input: AutonomyInput): Decision => engine.evaluate('autonomy', input).decision;

const call = (input: ToolCallInput): Decision => engine.evaluate('tool_call', input).decision;

function withoutOverrides(input: AutonomyInput): AutonomyInput {
  if (input.autonomy === null) return input;
  const { tool_overrides: _dropped, ...rest } = input.autonomy.autonomy;
  return { ...input, autonomy: { autonomy: rest } };
}

describe('policy only tightens downwards', () => {
  it('no tool override lets anything pass that did not pass without it', () => {
    fc.assert(
      fc.property(policyInputs.autonomy, (input) => {
        expect(isLooser(decide(withoutOverrides(input)), decide(input))).toBe(false);
      }),
      { numRuns: timesInputs(750) },
    );
  });

  it('a prod tool never executes without a person, and never in plan_only', () => {
    fc.assert(
      fc.property(policyInputs.autonomy, (input) => {
        const { outcome, obligations, effective } = decide({
          ...input,
          tool: { ...input.tool, risk: 'state_change_prod' },
        });
        expect(outcome).not.toBe('allow');
        if (effective.mode === 'plan_only') expect(outcome).toBe('deny');
        if (outcome === 'require_approval') {
          expect(obligations.approvals.reduce((people, { count }) => people + count, 0)).toBeGreaterThanOrEqual(1);
          expect(obligations.phases).toBe(effective.mode === 'canary_only' ? 'canary' : 'all');
        }
      }),
      { numRuns: timesInputs(750) },
    );
  });

  it('an agent reviews nothing', () => {
    fc.assert(
      fc.property(policyInputs.review, (input) => {
        const { decision } = engine.evaluate('review', { ...input, reviewer: { ...input.reviewer, kind: 'agent' } });
        expect(decision.outcome).toBe('deny');
      }),
      { numRuns: timesInputs(250) },
    );
  });

  it('a call without a plan makes no change to production', () => {
    fc.assert(
      fc.property(policyInputs.tool_call, (input) => {
        const tool = { ...input.tool, risk: 'state_change_prod' as const };
        expect(call({ ...input, tool, shell: null }).outcome).toBe('deny');
      }),
      { numRuns: timesInputs(150) },
    );
  });
});
