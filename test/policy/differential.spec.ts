import { execFileSync, spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { type Decision, decisionSchema } from '#lib/formats';
import { type Entrypoint, POLICY_INPUTS } from '#lib/policy-inputs';
import { packageRoot } from '#lib/database';
import { loadPolicyEngine } from '#lib/policy';
import { policyInputs } from '../arbitraries/policy-inputs.js';
import { timesInputs } from '../arbitraries/times-inputs.js';

const root = packageRoot();
const search = spawnSync(process.execPath, [join(root, 'tools', 'opa.mjs'), '--cached'], { encoding: 'utf8' });
const opa = search.status === 0 ? search.stdout.trim() : null;
const suite = opa === null ? describe.skip : describe;
const why = opa === null ? ` (skipped: ${search.stderr.trim()}; npm run policies builds it)` : '';

const RUNS: Readonly<Record<Entrypoint, number>> = {
  tool_call: timesInputs(150),
  plan: timesInputs(200),
  review: timesInputs(150),
  run_step: timesInputs(150),
  break_glass: timesInputs(150),
  autonomy: timesInputs(75),
  session_change: timesInputs(40),
  automation: timesInputs(150),
};

const OUTCOMES_WITH_APPROVALS = ['allow', 'require_approval', 'deny'];
/** A person's own act is never referred to other people. */
const OWN_ACT = ['allow', 'deny'];

/** A sample that is always refused for the same reason would compare nothing. It has to reach these outcomes and codes. */
const REACHED: Readonly<Record<Entrypoint, readonly string[]>> = {
  tool_call: [
    ...OUTCOMES_WITH_APPROVALS,
    'session.asks',
    'session.trusted',
    'session.confirm_word',
    'shell.denied',
    'shell.not_executable',
    'paths.asks',
  ],
  plan: [...OUTCOMES_WITH_APPROVALS, 'shell.denied'],
  review: OWN_ACT,
  run_step: [...OWN_ACT, 'shell.denied'],
  break_glass: [...OWN_ACT, 'shell.denied'],
  autonomy: OUTCOMES_WITH_APPROVALS,
  session_change: [...OWN_ACT, 'session.tightens', 'session.loosens', 'session.loosened_by_token'],
  automation: [
    ...OWN_ACT,
    'automation.destructive',
    'automation.production',
    'automation.not_safe',
    'automation.needs_plan',
    'automation.needs_person',
    'freeze.active',
    'halt.active',
  ],
};
const MIN_OF_EACH = 5;
/** A rare one may be missing in one sample: then other samples add inputs that reach it. The rarest, a word to confirm with, is 1 in 200. */
const MAX_SAMPLES = 40;

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
      // A short program: collecting its garbage is a third of its work.
      { encoding: 'utf8', maxBuffer: 1024 * 1024 * 1024, env: { ...process.env, GOGC: '400' } },
    );
    const answer = JSON.parse(text) as { result: [{ expressions: [{ value: unknown[] }] }] };
    return answer.result[0].expressions[0].value.map((value) => decisionSchema.parse(value));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

suite(`the compiled bundle and opa itself decide alike${why}`, () => {
  const seed = randomInt(2 ** 31);
  const engine = loadPolicyEngine();

  it.each(Object.entries(RUNS) as [Entrypoint, number][])(
    `%s, %d generated inputs (seed ${String(seed)})`,
    (entrypoint, numRuns) => {
      const reached = new Map<string, number>();
      const rare = () => REACHED[entrypoint].filter((name) => (reached.get(name) ?? 0) < MIN_OF_EACH);
      const inputs: unknown[] = [];
      const evaluations: ReturnType<typeof engine.evaluate>[] = [];
      for (let sample = 0; sample < MAX_SAMPLES && (sample === 0 || rare().length > 0); sample += 1) {
        for (const input of fc.sample<unknown>(policyInputs[entrypoint], { numRuns, seed: seed + sample })) {
          const evaluation = engine.evaluate(entrypoint, POLICY_INPUTS[entrypoint].parse(input));
          const { outcome, reasons } = evaluation.decision;
          const names = new Set([outcome, ...reasons.map(({ code }) => code)]);
          if (sample > 0 && !rare().some((name) => names.has(name))) continue;
          for (const name of names) reached.set(name, (reached.get(name) ?? 0) + 1);
          inputs.push(input);
          evaluations.push(evaluation);
        }
      }
      const theirs = decideWithOpa(
        entrypoint,
        evaluations.map(({ inputText }): unknown => JSON.parse(inputText)),
      );
      expect(theirs).toHaveLength(inputs.length);
      evaluations.forEach(({ decision }, index) => {
        if (JSON.stringify(decision) === JSON.stringify(theirs[index])) return;
        expect({ input: inputs[index], decision }).toEqual({ input: inputs[index], decision: theirs[index] });
      });
      expect(rare()).toEqual([]);
    },
    300_000,
  );
});
