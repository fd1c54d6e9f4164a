/**
 * Changes one expression of a library at a time, and sees whether a test of that library fails. A change that no test notices
 * survives: a test is missing, or the expression is needless.
 *
 *   npm run mutate -- approval          the domain of a library; its whole source if it has no domain
 *   npm run mutate -- approval --all    without the results of the last run
 *
 * The last result of each mutant is kept under node_modules/.cache/countersign/mutate. So a second run tries only those with
 * changed code or tests. It does not see a change of a helper outside tests, or of a row in a table of tests. `--all` does. The
 * report of each run is NAME.html beside it.
 */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Stryker } from '@stryker-mutator/core';

/** Tests in other folders that were written for a library. */
const FURTHER_TESTS = {
  verifier: ['libs/evidence/audit/src/domain', 'libs/people/mfa/src/domain/cose-key.spec.ts'],
};
/** Libraries with hundreds of use-case tests: a survivor would run all that reach it. Their domain has its own tests. */
const TESTED_BY_DOMAIN = ['approval', 'run'];
/** Sources that are no library. */
const FURTHER_SOURCES = {
  guards: {
    mutate: [
      'http/access.guard',
      'http/access',
      'http/emergency-allowance',
      'http/require-scope',
      'http/route-declarations',
      'http/scope-missing',
      'http/stated-reason',
      'runner/proven-runners',
      'runner/runner.guard',
    ].map((name) => `apps/api/src/${name}.ts`),
    tests: ['apps/api/src/http', 'apps/api/src/runner'],
  },
};

const [name, ...flags] = process.argv.slice(2);
const folder = readdirSync('libs')
  .map((group) => `libs/${group}/${name}`)
  .find((path) => existsSync(path));
if (name === undefined || (folder === undefined && FURTHER_SOURCES[name] === undefined)) {
  console.error(`Name a library, or ${Object.keys(FURTHER_SOURCES).join(', ')}: npm run mutate -- approval`);
  process.exit(2);
}
const source = folder && [`${folder}/src/domain`, `${folder}/src`].find((path) => existsSync(path));
const { mutate, tests } = FURTHER_SOURCES[name] ?? {
  mutate: [`${source}/**/*.ts`],
  tests: [TESTED_BY_DOMAIN.includes(name) ? source : `${folder}/src`, ...(FURTHER_TESTS[name] ?? [])],
};
const kept = `node_modules/.cache/countersign/mutate`;

process.env.COUNTERSIGN_MUTATED_TESTS = tests.join(',');
const results = await new Stryker({
  mutate: [...mutate, '!**/*.spec.ts', '!**/*.contract.ts', '!**/fake-*.ts', '!**/index.ts'],
  testRunner: 'loaded',
  plugins: ['./test/mutation/runner.mjs'],
  coverageAnalysis: 'perTest',
  // A text that people read is no rule, and a table of words is no branch.
  mutator: { excludedMutations: ['StringLiteral'] },
  ignoreStatic: true,
  incremental: true,
  incrementalFile: join(kept, `${name}.json`),
  force: flags.includes('--all'),
  concurrency: 2,
  // The runner ends a test that loops. This is for a loop behind an await, which it cannot end.
  timeoutMS: 60_000,
  tempDirName: '.countersign/mutation',
  ignorePatterns: ['dist', 'coverage', '.countersign', 'docs', 'apps/web', 'test/e2e', 'test/threats', 'test/browser'],
  reporters: ['clear-text', 'progress-append-only', 'html'],
  htmlReporter: { fileName: join(kept, `${name}.html`) },
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  thresholds: { high: 95, low: 85, break: null },
  allowConsoleColors: false,
}).runMutationTest();
if (results.length === 0) process.exitCode = 1;
