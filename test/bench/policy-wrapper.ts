import { decisionSchema } from '#lib/formats';
import { loadPolicyEngine } from '#lib/policy';
import { loadWasmPolicy } from '../../libs/rules/policy/src/adapters/load-wasm-policy.js';
import { measurementOf, type Measurement } from './measurement.js';
import { spreadsOf } from './percentile.js';
import { assertRightAnswer, planOf } from './policy-inputs.js';

const ROUNDS = 11;
const CALLS = 1_000;

/**
 * `policy-wrapper`: a decision by our evaluator, validated going in and coming out, against bare `LoadedPolicy.evaluate`.
 * `/median` is the same at the median, which a busy machine moves less.
 */
export function policyWrapper(): Promise<readonly Measurement[]> {
  const engine = loadPolicyEngine();
  const { bundle } = engine;
  const bare = loadWasmPolicy(new WebAssembly.Module(bundle.wasm), 1_024);
  const input = planOf(10);
  const ours = (): void => {
    assertRightAnswer(engine.evaluate('plan', input).decision);
  };
  const theirs = (): void => {
    const [answer] = bare.evaluate(input, bundle.entrypoints.plan) as [{ result: unknown }];
    if ((answer.result as { outcome: string }).outcome !== 'require_approval')
      throw new Error('The decision is wrong.');
  };
  assertRightAnswer(
    decisionSchema.parse((bare.evaluate(input, bundle.entrypoints.plan) as [{ result: unknown }])[0].result),
  );
  spreadsOf(CALLS, ours, theirs);
  const rounds = Array.from({ length: ROUNDS }, () => spreadsOf(CALLS, ours, theirs));
  return Promise.resolve([
    measurementOf(
      'policy-wrapper',
      rounds.map(([our, their]) => our.p99 / their.p99),
    ),
    measurementOf(
      'policy-wrapper/median',
      rounds.map(([our, their]) => our.median / their.median),
    ),
  ]);
}
