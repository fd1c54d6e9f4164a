import type { Json } from '#lib/canonical';
import { digestOf, MASK } from '#lib/kernel';
import type { Decision } from '#lib/policy-inputs';
import { putDecision, type Evaluate, type StoredDecision } from './put-decision.js';
import type { WorldChange } from './world.js';

const decision = (outcome: Decision['outcome'], ...rules: string[]): Decision => ({
  outcome,
  reasons: rules.map((rule) => ({ code: 'a.code', message: 'why', rule })),
  obligations: { approvals: [], mfa: false, phases: 'all', audit_level: 'full', valid_minutes: 60 },
  effective: { mode: 'full_auto', source: 'mode' },
});
const change: WorldChange = {
  tools: {},
  environments: { production: { before: true, after: false } },
  safeTools: {},
};
const stored = (input: Record<string, Json>, outcome: Decision['outcome'] = 'deny'): StoredDecision => ({
  entrypoint: 'tool_call',
  input,
  inputDigest: digestOf('policy-input', input),
  decision: decision(outcome, 'x'),
});
const inProduction = { environment: { name: 'production', production: true } };
const evaluate: Evaluate = (side) => (side === 'before' ? decision('deny', 'x', 'y') : decision('allow', 'y', 'z'));

describe('putDecision', () => {
  it('compares today with the change, and names the rules that speak on one side alone', () => {
    expect(putDecision(stored(inProduction), change, evaluate)).toMatchObject({
      result: 'put',
      change: { change: 'loosens', what: ['outcome: deny becomes allow'] },
      rules: { come: ['z'], go: ['x'] },
      otherwiseToday: false,
    });
  });

  it('says that a decision comes out otherwise today, which is not the work of the change', () => {
    const same: Evaluate = () => decision('allow', 'y');
    expect(putDecision(stored(inProduction), change, same)).toMatchObject({ change: null, otherwiseToday: true });
  });

  it('evaluates nothing if the change touches nothing', () => {
    const never: Evaluate = () => {
      throw new Error('evaluated');
    };
    const staging = stored({ environment: { name: 'staging', production: false } });
    expect(putDecision(staging, change, never)).toEqual({ result: 'untouched' });
    expect(() => putDecision(staging, change, never, true)).toThrow('evaluated');
  });

  it('does not guess for an input that is not the one that was evaluated', () => {
    const masked = { ...stored({ ...inProduction, targets: [MASK] }), inputDigest: digestOf('policy-input', {}) };
    expect(putDecision(masked, change, evaluate)).toEqual({ result: 'not_put', why: 'masked' });
    const altered = { ...stored(inProduction), inputDigest: digestOf('policy-input', {}) };
    expect(putDecision(altered, change, evaluate)).toEqual({ result: 'not_put', why: 'altered' });
  });

  it('does not take the deny of an older shape for an answer', () => {
    const older: Evaluate = () => ({
      ...decision('deny'),
      reasons: [{ code: 'policy.invalid_input', message: 'shape', rule: 'countersign.fail_closed' }],
    });
    expect(putDecision(stored(inProduction), change, older)).toEqual({ result: 'not_put', why: 'older_shape' });
  });

  it('denies a call of a tool that the change removes', () => {
    const tool = { name: 'restart', version: 1 };
    const removed: WorldChange = {
      ...change,
      tools: { restart: { before: { facts: tool as never, digest: '', reading: '' }, after: null } },
    };
    const allowed: Evaluate = () => decision('allow', 'y');
    expect(putDecision(stored({ tool }, 'allow'), removed, allowed)).toMatchObject({
      after: { outcome: 'deny', reasons: [{ code: 'policy.unknown_tool' }] },
      change: { change: 'tightens' },
    });
  });
});
