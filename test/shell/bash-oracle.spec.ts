import { availableParallelism } from 'node:os';
import { classifyCommand, commandNames } from '#lib/shell-safety';
import { RandomNumbers } from './random-numbers.js';
import { randomScript } from './random-script.js';
import { tryByBash, type Attempt } from './real-bash.js';

/** How many scripts bash tries; .ci/run sets ten times as many. */
const SCRIPTS = Number(process.env.COUNTERSIGN_SHELL_SCRIPTS ?? '1000');
/** Another seed gives other scripts. It is the same by default, so that a test run says something about a change alone. */
const SEED = Number(process.env.COUNTERSIGN_SHELL_SEED ?? '1');
const BATCH = 250;

/** Bash prints the script of a substitution, and reads that text again. A coproc without a name is printed with this one. */
const PRINTED_NAME = 'COPROC';

interface Tried extends Attempt {
  readonly script: string;
}

let tried: readonly Tried[];

beforeAll(async () => {
  const random = new RandomNumbers(SEED);
  const scripts = Array.from({ length: SCRIPTS }, () => randomScript(random));
  const batches: string[][] = [];
  for (let at = 0; at < scripts.length; at += BATCH) batches.push(scripts.slice(at, at + BATCH));
  const attempts: Attempt[][] = batches.map(() => []);
  let next = 0;
  const work = async (): Promise<void> => {
    for (let index = next++; index < batches.length; index = next++) {
      attempts[index] = [...(await tryByBash(batches[index] ?? []))];
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  tried = attempts.flat().map((attempt, index) => ({ ...attempt, script: scripts[index] ?? '' }));
}, 300_000);

/** Shows the seed beside the scripts that are wrong. */
const expectNone = (wrong: readonly unknown[]): void => {
  expect({ seed: SEED, wrong: wrong.slice(0, 5) }).toEqual({ seed: SEED, wrong: [] });
};

it('T49: the verdict considers every command that bash tries to run', () => {
  let comparisons = 0;
  const missed = tried.flatMap(({ script, names }) => {
    const verdict = classifyCommand(script, 'bash');
    const considered = commandNames(verdict);
    if (verdict.tier === 3 || considered.hidden || names.size === 0) return [];
    comparisons += 1;
    const unseen = [...names].filter((name) => !considered.names.has(name) && name !== PRINTED_NAME);
    return unseen.length === 0 ? [] : [{ script, unseen }];
  });
  expectNone(missed);
  expect(comparisons).toBeGreaterThan(SCRIPTS / 5);
});

it('the verdict is Tier 3 if bash refuses to read the script', () => {
  const invalid = tried.filter(({ valid }) => !valid);
  expectNone(invalid.filter(({ script }) => classifyCommand(script, 'bash').tier !== 3).map(({ script }) => script));
  expect(invalid.length).toBeGreaterThan(SCRIPTS / 50);
});
