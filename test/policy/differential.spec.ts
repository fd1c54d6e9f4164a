import { execFileSync, spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { type Decision, decisionSchema, type Entrypoint, POLICY_INPUTS } from '#lib/policy-inputs';
import { packageRoot } from '#lib/database';
import { loadPolicyBundle, OpaWasmPolicyEngine } from '#lib/policy';
import { policyInputs } from '../arbitraries/policy-inputs.js';

const root = packageRoot();
const search = spawnSync(process.execPath, [join(root, 'tools', 'opa.mjs'), '--cached'], { encoding: 'utf8' });
const opa = search.status === 0 ? search.stdout.trim() : null;
const suite = opa === null ? describe.skip : describe;
const why = opa === null ? ` (skipped: ${search.stderr.trim()}; npm run policies builds it)` : '';

const RUNS: Readonly<Record<Entrypoint, number>> = {
  tool_call: 1_000,
  plan: 1_500,
  review: 1_000,
  run_step: 1_000,
  break_glass: 1_500,
  autonomy: 500,
};

/** A person's own act is never referred to other people. */
const ALLOW_OR_DENY: ReadonlySet<Entrypoint> = new Set(['review', 'run_step', 'break_glass']);

/** One opa process for all inputs: they travel as data. */
function decideWithOpa(entrypoint: Entrypoint, inputs: readonly unknown[]): Decision[] {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-differential-'));
  try {
    const data = join(folder, 'inputs.json');
    writeFileSync(data, JSON.stringify({ inputs }));
    const text = execFileSync(
      opa ?? 'opa',
      [
        ...['eval', '--format', 'json', '--data', data, '--data', join(root, 'policies')],
        ...['--ignore', '*_test.rego', '--ignore', 'bundle', '--ignore', 'fixtures'],
        `[decision | some one in data.inputs; decision := data.countersign.${entrypoint}.decision with input as one]`,
      ],
      { encoding: 'utf8', maxBuffer: 1024 * 1024 * 1024 },
    );
    const answer = JSON.parse(text) as { result: [{ expressions: [{ value: unknown[] }] }] };
    return answer.result[0].expressions[0].value.map((value) => decisionSchema.parse(value));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

suite(`the compiled bundle and opa itself decide alike${why}`, () => {
  const seed = randomInt(2 ** 31);
  const engine = new OpaWasmPolicyEngine(loadPolicyBundle(join(root, 'policies')));

  it.each(Object.entries(RUNS) as [Entrypoint, number][])(
    `%s, %d generated inputs (seed ${String(seed)})`,
    (entrypoint, numRuns) => {
      const inputs = fc.sample<unknown>(policyInputs[entrypoint], { numRuns, seed });
      const evaluations = inputs.map((input) =>
        engine.evaluate(entrypoint, POLICY_INPUTS[entrypoint].parse(input) as never),
      );
      const theirs = decideWithOpa(
        entrypoint,
        evaluations.map(({ inputText }): unknown => JSON.parse(inputText)),
      );
      expect(theirs).toHaveLength(numRuns);
      const outcomes = new Map<string, number>();
      evaluations.forEach(({ decision }, place) => {
        outcomes.set(decision.outcome, (outcomes.get(decision.outcome) ?? 0) + 1);
        if (JSON.stringify(decision) === JSON.stringify(theirs[place])) return;
        expect({ input: inputs[place], decision }).toEqual({ input: inputs[place], decision: theirs[place] });
      });
      // A sample that is always refused for the same reason would compare nothing.
      for (const outcome of ALLOW_OR_DENY.has(entrypoint) ? ['allow', 'deny'] : ['allow', 'require_approval', 'deny']) {
        expect(outcomes.get(outcome) ?? 0).toBeGreaterThanOrEqual(5);
      }
    },
    300_000,
  );
});
