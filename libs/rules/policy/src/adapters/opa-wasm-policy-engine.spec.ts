import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  MAX_POLICY_INPUT_BYTES,
  type AutonomyFacts,
  planInputSchema,
  type PlanInput,
  type ToolCallInput,
} from '#lib/policy-inputs';
import { packageRoot } from '#lib/database';
import { loadPolicyBundle } from './load-policy-bundle.js';
import { decisionIn, OpaWasmPolicyEngine } from './opa-wasm-policy-engine.js';
import { cpuMs } from '../../../../../test/support/cpu-time.js';

const policies = join(packageRoot(), 'policies');
const bundle = loadPolicyBundle();
const codesOf = (evaluation: { decision: { reasons: readonly { code: string }[] } }): string[] =>
  evaluation.decision.reasons.map(({ code }) => code);

const readCall: ToolCallInput = {
  now: 1_790_000_000_000,
  tenant_id: 'tenant-1',
  autonomy: { autonomy: { mode: 'full_auto' } },
  actor: { kind: 'agent', id: 'agent-1', scopes: ['run'], via: 'token' },
  tool: {
    name: 'restart_service',
    version: 1,
    risk: 'state_change_nonprod',
    idempotent: true,
    scope: 'asset',
    effect: 'modify',
    surface: 'asset',
    requires_plan: false,
    requires_hitl: 'configurable',
    simulated_by: null,
    simulation: 'not_applicable',
    canary: true,
  },
  environment: { id: 'env-1', name: 'staging', production: false, version: 1 },
  // Asks about nothing by itself, so that the autonomy document decides.
  session: { preset: 'levels', level: 'FULL_AUTO', mode: 'ask-on-write', trusted: false },
  shell: null,
  paths: null,
  halts: [],
};

const inMode = (mode: AutonomyFacts['autonomy']['mode']): AutonomyFacts => ({ autonomy: { mode } });

function soundPlan(): PlanInput {
  const file = JSON.parse(readFileSync(join(policies, 'fixtures', 'plan.json'), 'utf8')) as {
    plan: { name: string; input: unknown }[];
  };
  return planInputSchema.parse(file.plan.find(({ name }) => name === 'validate: sound')?.input);
}

/** The sound plan with as many calls and targets as fit below the limit. */
function largestPlan(): PlanInput {
  const plan = soundPlan();
  const [canary, ...waves] = plan.plan.phases;
  const template = canary?.batches[0]?.calls[0];
  const last = waves.at(-1);
  if (template === undefined || last === undefined) throw new Error('The fixture has lost its phases.');
  let seq = 1000;
  const size = (): number => Buffer.byteLength(JSON.stringify(plan));
  const step = 'x'.repeat(200);
  while (size() < MAX_POLICY_INPUT_BYTES - 4_000) {
    const targets = Array.from({ length: 9 }, (_, number) => `${step}-${String(seq)}-${String(number)}`);
    last.batches.push({ index: last.batches.length, calls: [{ ...template, seq: seq++, targets }] });
  }
  return plan;
}

describe('T23: anything but a decision of the agreed shape is a deny', () => {
  const decision = new OpaWasmPolicyEngine(bundle).evaluate('tool_call', readCall).decision;
  const withReason = (more: object) => ({
    ...decision,
    reasons: decision.reasons.map((reason) => ({ ...reason, ...more })),
  });
  const END = '2026-11-23T06:00:00Z';

  it('takes a decision of the agreed shape', () => {
    expect(decision.outcome).toBe('allow');
    expect(decisionIn([{ result: decision }])).toEqual(decision);
    const detailed = withReason({ details: { until: END } });
    expect(decisionIn([{ result: detailed }])).toEqual(detailed);
  });

  it.each([
    ['an empty result set', [], 'policy.no_decision'],
    ['undefined', undefined, 'policy.no_decision'],
    ['null', null, 'policy.no_decision'],
    ['a truthy text', 'allow', 'policy.no_decision'],
    ['true', true, 'policy.no_decision'],
    ['two results', [{ result: decision }, { result: decision }], 'policy.no_decision'],
    ['a result set of null', [null], 'policy.no_decision'],
    ['a result set without a result', [{}], 'policy.no_decision'],
    ['a result that is true', [{ result: true }], 'policy.malformed_decision'],
    ['a result that is a text', [{ result: 'allow' }], 'policy.malformed_decision'],
    ['an unknown outcome', [{ result: { ...decision, outcome: 'permit' } }], 'policy.malformed_decision'],
    ['an outcome alone', [{ result: { outcome: 'allow' } }], 'policy.malformed_decision'],
    ['no reason', [{ result: { ...decision, reasons: [] } }], 'policy.malformed_decision'],
    ['a member too many', [{ result: { ...decision, override: true } }], 'policy.malformed_decision'],
    ['a member too many in a reason', [{ result: withReason({ hint: 'none' }) }], 'policy.malformed_decision'],
    [
      'a detail too many',
      [{ result: withReason({ details: { until: END, grace: true } }) }],
      'policy.malformed_decision',
    ],
    ['an end that is no moment', [{ result: withReason({ details: { until: 'soon' } }) }], 'policy.malformed_decision'],
    [
      'a slot that nobody has to fill',
      [
        {
          result: { ...decision, obligations: { ...decision.obligations, approvals: [{ count: 0, roles: ['any'] }] } },
        },
      ],
      'policy.malformed_decision',
    ],
    [
      'a slot without a role',
      [{ result: { ...decision, obligations: { ...decision.obligations, approvals: [{ count: 1, roles: [] }] } } }],
      'policy.malformed_decision',
    ],
  ])('denies %s', (_what, resultSet, code) => {
    const denied = decisionIn(resultSet);
    expect(denied.outcome).toBe('deny');
    expect(codesOf({ decision: denied })).toEqual([code]);
  });

  it('denies if evaluation throws, and goes on with the next call', () => {
    const broken = new OpaWasmPolicyEngine({
      ...bundle,
      entrypoints: { ...bundle.entrypoints, plan: 'countersign/nothing/decision' },
    });
    expect(codesOf(broken.evaluate('plan', soundPlan()))).toEqual(['policy.evaluation_failed']);
    expect(broken.evaluate('tool_call', readCall).decision.outcome).toBe('allow');
  });

  it.each([
    ['nothing', undefined],
    ['null', null],
    ['a text', 'allow'],
    ['an empty object', {}],
    ['a member too many', { ...readCall, admin: true }],
    ['a time that is not an integer', { ...readCall, now: 1.5 }],
    ['an autonomy document of another shape', { ...readCall, autonomy: { mode: 'full_auto' } }],
    ['an unknown risk', { ...readCall, tool: { ...readCall.tool, risk: 'harmless' } }],
  ])('denies an input that is %s', (_what, input) => {
    const engine = new OpaWasmPolicyEngine(bundle);
    const evaluation = engine.evaluate('tool_call', input as ToolCallInput);
    expect(evaluation.decision.outcome).toBe('deny');
    expect(codesOf(evaluation)).toEqual(['policy.invalid_input']);
  });

  it('denies text that engines read differently', () => {
    const engine = new OpaWasmPolicyEngine(bundle);
    const halfAnEmoji = { ...readCall, environment: { ...readCall.environment, name: '\ud83d' } };
    expect(codesOf(engine.evaluate('tool_call', halfAnEmoji))).toEqual(['policy.invalid_input']);
    const spelledOut = { ...readCall, environment: { ...readCall.environment, name: '\\ud83d' } };
    expect(engine.evaluate('tool_call', spelledOut).decision.outcome).toBe('allow');
  });
});

describe('an engine that has decided often', () => {
  it.each([
    ['a sound input', readCall],
    ['a setting that no rule reads', { ...readCall, autonomy: { autonomy: { mode: 'full_auto', other: 1 } } }],
    ['a member too many', { ...readCall, admin: true }],
    ['an unknown risk', { ...readCall, tool: { ...readCall.tool, risk: 'harmless' } }],
  ])('answers as it did at first about %s', (_what, input) => {
    const engine = new OpaWasmPolicyEngine(bundle);
    const evaluated = (): unknown => {
      const { decision, inputText } = engine.evaluate('tool_call', input as ToolCallInput);
      return { decision, facts: JSON.parse(inputText) as unknown };
    };
    const first = evaluated();
    for (let call = 0; call < 150; call += 1) engine.evaluate('tool_call', readCall);
    expect(evaluated()).toEqual(first);
  });
});

describe('T24: an input of the largest size or depth, over and over', () => {
  it('costs bounded time and memory, and the next caller nothing', () => {
    const engine = new OpaWasmPolicyEngine(bundle);
    const largest = largestPlan();
    const rounds = 20;
    const outcomes = new Set<string>();
    let most = 0;
    const took = cpuMs(() => {
      for (let round = 0; round < rounds; round += 1) {
        outcomes.add(engine.evaluate('plan', largest).decision.outcome);
        most = Math.max(most, engine.memoryBytes);
      }
    });
    expect(outcomes).toEqual(new Set(['allow']));
    expect(most).toBeLessThanOrEqual(8 * 1024 * 1024);
    expect(took / rounds).toBeLessThan(1_000);
    expect(engine.evaluate('tool_call', readCall).decision.outcome).toBe('allow');
  });

  it('refuses one byte more than the limit', () => {
    const engine = new OpaWasmPolicyEngine(bundle);
    const plan = soundPlan();
    const call = plan.plan.phases[0]?.batches[0]?.calls[0];
    if (call === undefined) throw new Error('The fixture has lost its calls.');
    const size = (): number => Buffer.byteLength(JSON.stringify(plan));
    const target = 'x'.repeat(97);
    call.targets = Array.from({ length: Math.floor((MAX_POLICY_INPUT_BYTES - size()) / 100) - 1 }, () => target);
    call.targets.push('y'.repeat(MAX_POLICY_INPUT_BYTES - size() - 3));
    expect(size()).toBe(MAX_POLICY_INPUT_BYTES);
    expect(codesOf(engine.evaluate('plan', plan))).not.toContain('policy.input_too_large');
    call.targets[0] = `${target}x`;
    expect(codesOf(engine.evaluate('plan', plan))).toEqual(['policy.input_too_large']);
  });

  it('denies a document nested ten thousand levels deep, and the policy never sees anything below', () => {
    const engine = new OpaWasmPolicyEngine(bundle);
    let deep: unknown = 'bottom';
    for (let level = 0; level < 10_000; level += 1) deep = [deep];
    const asMember = { ...readCall, halts: [deep] } as unknown as ToolCallInput;
    expect(engine.evaluate('tool_call', asMember).decision.outcome).toBe('deny');
    const asUnknownSetting = {
      ...readCall,
      autonomy: { autonomy: { mode: 'full_auto', deep } },
    } as unknown as ToolCallInput;
    const { decision, inputText } = engine.evaluate('tool_call', asUnknownSetting);
    expect(decision.outcome).toBe('allow');
    expect(inputText).not.toContain('bottom');
  });
});

describe('T25: two tenants decide in turns', () => {
  it('answers each from its own document alone', () => {
    const engine = new OpaWasmPolicyEngine(bundle);
    for (let round = 0; round < 200; round += 1) {
      const loose = engine.evaluate('tool_call', { ...readCall, tenant_id: 'a', autonomy: inMode('full_auto') });
      const strict = engine.evaluate('tool_call', { ...readCall, tenant_id: 'b', autonomy: inMode('plan_only') });
      const without = engine.evaluate('tool_call', { ...readCall, tenant_id: 'c', autonomy: null });
      expect(loose.decision.effective).toEqual({ mode: 'full_auto', source: 'mode' });
      expect(loose.decision.outcome).toBe('allow');
      expect(strict.decision.effective).toEqual({ mode: 'plan_only', source: 'mode' });
      expect(strict.decision.outcome).toBe('deny');
      expect(without.decision.effective).toEqual({ mode: 'plan_only', source: 'default' });
      expect(without.decision.outcome).toBe('deny');
    }
  });
});

describe('the input of a decision', () => {
  it('holds only the part of the document that the decision depends on', () => {
    const others = Object.fromEntries(
      Array.from({ length: 1_000 }, (_, number) => [`tool_${String(number)}`, { mode: 'plan_only' as const }]),
    );
    const engine = new OpaWasmPolicyEngine(bundle);
    const { decision, inputText } = engine.evaluate('tool_call', {
      ...readCall,
      autonomy: {
        autonomy: {
          mode: 'plan_only',
          environments: { staging: { mode: 'full_auto' }, production: { mode: 'plan_only' } },
          tool_overrides: { ...others, restart_service: { mode: 'canary_only' } },
        },
      },
    });
    expect(decision.outcome).toBe('allow');
    expect(decision.effective.source).toBe('tool_overrides.restart_service.mode');
    expect(JSON.parse(inputText)).toMatchObject({
      autonomy: {
        autonomy: {
          mode: 'plan_only',
          environments: { staging: { mode: 'full_auto' } },
          tool_overrides: { restart_service: { mode: 'canary_only' } },
        },
      },
    });
    expect(inputText).not.toContain('tool_0');
    expect(inputText).not.toContain('"production":{');
  });
});
