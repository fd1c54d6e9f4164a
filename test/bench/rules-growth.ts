import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageRoot } from '#lib/database';
import { loadPolicyEngine } from '#lib/policy';
import { measurementOf, type Measurement } from './measurement.js';
import { p99Of } from './percentile.js';
import { assertRightAnswer, planOf } from './policy-inputs.js';

const ROUNDS = 11;
const CALLS = 1_000;
const FEW = 10;
const MANY = 1_000;

/**
 * `rules-growth`: the same decision for a tenant of 1,000 tools over one of 10. Beside it the same growth of opa itself,
 * which is given the whole document, if opa is there.
 */
export function rulesGrowth(): Promise<readonly Measurement[]> {
  const policies = join(packageRoot(), 'policies');
  const engine = loadPolicyEngine();
  const few = planOf(FEW);
  const many = planOf(MANY);
  const p99With = (input: typeof few): number =>
    p99Of(CALLS, () => {
      assertRightAnswer(engine.evaluate('plan', input).decision);
    });
  p99With(few);
  p99With(many);
  const ratios = Array.from({ length: ROUNDS }, () => p99With(many) / p99With(few));
  const measurements = [measurementOf('rules-growth', ratios)];
  const opa = spawnSync(process.execPath, [join(packageRoot(), 'tools', 'opa.mjs'), '--cached'], { encoding: 'utf8' });
  if (opa.status === 0) {
    const growth = Array.from(
      { length: 5 },
      () => opaP99(opa.stdout.trim(), policies, many) / opaP99(opa.stdout.trim(), policies, few),
    );
    measurements.push(measurementOf('rules-growth/opa-itself', growth));
  }
  return Promise.resolve(measurements);
}

/** Nanoseconds, evaluation alone. */
function opaP99(opa: string, policies: string, input: unknown): number {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-bench-'));
  try {
    const file = join(folder, 'input.json');
    writeFileSync(file, JSON.stringify(input));
    const text = execFileSync(
      opa,
      [
        ...['bench', '--format', 'json', '--data', policies, '--input', file],
        ...['--ignore', '*_test.rego', '--ignore', 'bundle', '--ignore', 'fixtures'],
        'data.countersign.plan.decision',
      ],
      { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] },
    );
    const { Extra: extra } = JSON.parse(text) as { Extra: Record<string, number> };
    const p99 = extra['histogram_timer_rego_query_eval_ns_99%'];
    if (p99 === undefined) throw new Error('opa bench gave no 99th percentile.');
    return p99;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
