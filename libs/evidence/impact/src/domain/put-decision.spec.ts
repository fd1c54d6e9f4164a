import { readFileSync } from 'node:fs';
import type { Json } from '#lib/canonical';
import { digestOf, MASK } from '#lib/kernel';
import type { Decision } from '#lib/formats';
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

describe('the comparison of a decision', () => {
  it('compares today with the change, and names the rules that speak on one side alone', () => {
    expect(putDecision(stored(inProduction), change, evaluate)).toMatchObject({
      result: 'put',
      change: { change: 'loosens', what: ['outcome: deny becomes allow'] },
      rules: { come: [{ rule: 'z', code: 'a.code' }], go: [{ rule: 'x', code: 'a.code' }], otherwise: [] },
      otherwiseToday: false,
    });
  });

  it('names a rule that refuses on one side and lets pass on the other', () => {
    const speaking = (outcome: Decision['outcome'], code: string): Decision => ({
      ...decision(outcome),
      reasons: [{ code, message: 'why', rule: 'matrix' }],
    });
    const sides: Evaluate = (side) =>
      side === 'before' ? speaking('deny', 'autonomy.plan_only') : speaking('allow', 'autonomy.executes');
    expect(putDecision(stored(inProduction), change, sides)).toMatchObject({
      rules: {
        come: [{ rule: 'matrix', code: 'autonomy.executes' }],
        go: [{ rule: 'matrix', code: 'autonomy.plan_only' }],
      },
    });
  });

  const asked: Decision['obligations'] = {
    ...decision('allow').obligations,
    approvals: [{ count: 2, roles: ['SRELead'] }],
    mfa: true,
    confirm_word: 'CONFIRM',
  };
  const { confirm_word: _word, ...wordless } = asked;

  it.each<[string, Decision['obligations'], object]>([
    [
      'approvers',
      { ...asked, approvals: [{ count: 1, roles: ['any'] }] },
      { rule: 'countersign.approvals.slots', asks: 'approvals' },
    ],
    ['a second factor', { ...asked, mfa: false }, { rule: 'countersign.terms.obligations', asks: 'mfa' }],
    ['a time limit', { ...asked, valid_minutes: 90 }, { rule: 'countersign.terms.obligations', asks: 'valid_minutes' }],
    ['a word', wordless, { rule: 'countersign.session.confirm_word', asks: 'confirm_word' }],
  ])('names the rule if both sides differ by %s alone', (_what, obligations, named) => {
    const asking = decision('require_approval', 'x');
    const sides: Evaluate = (side) => ({ ...asking, obligations: side === 'before' ? asked : obligations });
    expect(putDecision(stored(inProduction), change, sides)).toMatchObject({
      change: { change: 'loosens' },
      rules: { come: [], go: [], otherwise: [named] },
    });
  });

  it('names rules that the policies have', () => {
    for (const [folder, name] of [
      ['approvals', 'slots'],
      ['terms', 'obligations'],
      ['session', 'confirm_word'],
    ] as const) {
      const rego = readFileSync(`policies/${folder}/${folder}.rego`, 'utf8');
      expect(rego).toContain(`package countersign.${folder}\n`);
      expect(rego).toMatch(new RegExp(`^${name} :=`, 'm'));
    }
  });

  it('marks an outcome that differs today already, without the change', () => {
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
    // Canonical JSON has no form for this number, so no input with it was ever evaluated.
    const enormous = { ...stored(inProduction), input: { ...inProduction, now: 2 ** 60 } };
    expect(putDecision(enormous, change, evaluate)).toEqual({ result: 'not_put', why: 'altered' });
  });

  it('counts the deny of an input without a policy as no answer', () => {
    const refusing: Evaluate = () => ({
      ...decision('deny'),
      reasons: [{ code: 'policy.invalid_input', message: 'shape', rule: 'countersign.fail_closed' }],
    });
    expect(putDecision(stored(inProduction), change, refusing)).toEqual({ result: 'not_put', why: 'invalid_input' });
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
