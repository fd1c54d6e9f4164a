import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { clearInterval, setInterval } from 'node:timers';
import { fileURLToPath } from 'node:url';
import { Script } from 'node:vm';
import { runCLI } from 'jest';
import config from '../../jest.config.mjs';
import { holdLoadedTests } from './held-environment.mjs';

const [unit] = config.projects;
const [SUCCESS, FAILED] = [0, 1];
/** A test that computes for longer loops, and one that idles for longer waits for a promise that never settles. */
const TEST_TIME_LIMIT_MS = 5_000;
const CALL = new Script('COUNTERSIGN_CALL()');

/** @returns the unit tests in a folder, or the one that is named. */
const specificationsIn = (root, wanted) =>
  (wanted.endsWith('.ts')
    ? [wanted]
    : readdirSync(join(root, wanted), { recursive: true }).map((path) => join(wanted, path))
  )
    .filter((path) => path.endsWith('.spec.ts') && !/\.(?:db|system)\.spec\.ts$/.test(path))
    .map((path) => join(root, path));

/** Loads the tests with Jest, which then waits. @returns the tests, and a function that lets Jest end. */
async function loadTests(root, specifications) {
  let letGo;
  let ended;
  const loaded = new Promise((resolve, reject) => {
    holdLoadedTests((tests) => {
      resolve(tests);
      return new Promise((release) => {
        letGo = release;
      });
    });
    const project = {
      ...unit,
      rootDir: root,
      displayName: undefined,
      roots: ['<rootDir>/test/mutation'],
      testMatch: ['<rootDir>/test/mutation/specifications.ts'],
      testEnvironment: fileURLToPath(new URL('held-environment.mjs', import.meta.url)),
      runtime: undefined, // It would need the realm that the worker's files share.
      globals: { COUNTERSIGN_SPECIFICATIONS: specifications },
      reporters: [],
    };
    const options = { $0: 'mutate', _: [], config: JSON.stringify(project), runInBand: true, silent: true };
    ended = runCLI(options, [root]).then(({ results }) => {
      reject(new Error(results.testResults.map(({ failureMessage }) => failureMessage).join('\n')));
    }, reject);
  });
  const { root: block, globals, context } = await loaded;
  /** Calls a function. @throws {Error} `ERR_SCRIPT_EXECUTION_TIMEOUT` if it does not return in time. */
  const call = (function_, timeout) => {
    globals.COUNTERSIGN_CALL = function_;
    return CALL.runInContext(context, { timeout });
  };
  return {
    tests: testsIn(block, root, call),
    beforeAll: hooksOf(block, 'beforeAll', true),
    namespace: (globals.__stryker__ ??= {}),
    end: async () => {
      letGo();
      await ended;
    },
  };
}

/** The functions of a kind of hook in a block, and in those inside it. */
const hooksOf = (block, type, inside = false) => [
  ...block.hooks.filter((hook) => hook.type === type).map(({ fn }) => fn),
  ...(inside ? block.children.flatMap((child) => (child.type === 'test' ? [] : hooksOf(child, type, true))) : []),
];

/** Each test by its id. The id has its names from the outermost, with a number if it is not the first of its name. */
function testsIn(root, directory, call) {
  const found = new Map();
  const collect = (block, names, outer) => {
    const hooks = {
      before: [...outer.before, ...hooksOf(block, 'beforeEach')],
      after: [...hooksOf(block, 'afterEach'), ...outer.after],
    };
    for (const child of block.children) {
      const called = [...names, child.name];
      if (child.type !== 'test') collect(child, called, hooks);
      else if (child.mode !== 'skip' && child.mode !== 'todo') {
        const name = [relative(directory, called[0]), ...called.slice(1)].join(' ');
        let id = name;
        for (let same = 2; found.has(id); same += 1) id = `${name} (${same})`;
        const [, line, column] = /\.spec\.ts:(\d+):(\d+)/.exec(child.asyncError?.stack ?? '') ?? [];
        const startPosition = line && { line: Number(line) - 1, column: Number(column) - 1 };
        const run = (timeout) => call(() => child.fn.call({}), timeout);
        found.set(id, { id, name, fileName: called[0], startPosition, hooks, run, spentMs: 0 });
      }
    }
  };
  collect(root, [], { before: [], after: [] });
  return found;
}

/** @returns null if the test passes, and the error if it fails. Undefined if it does not come to an end. */
async function failureOf(test, timeout = TEST_TIME_LIMIT_MS) {
  const from = { time: performance.now(), cpu: process.cpuUsage(), loop: performance.eventLoopUtilization() };
  const attempt = async () => {
    let failure = null;
    try {
      for (const hook of test.hooks.before) await hook();
      await test.run(timeout);
    } catch (error) {
      failure = error ?? new Error('nothing was thrown');
    }
    for (const hook of test.hooks.after) await hook();
    return failure;
  };
  const computedMs = () => process.cpuUsage(from.cpu).user / 1_000;
  let timer;
  const limit = new Promise((resolve) => {
    timer = setInterval(() => {
      const { idle } = performance.eventLoopUtilization(from.loop);
      if (idle > TEST_TIME_LIMIT_MS || computedMs() > TEST_TIME_LIMIT_MS) resolve(undefined);
    }, 250);
  });
  const failure = await Promise.race([attempt().catch((error) => error), limit]);
  clearInterval(timer);
  test.spentMs = performance.now() - from.time;
  if (failure?.code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') return failure;
  // On a busy machine the time may be over before the test has computed for long.
  return computedMs() < TEST_TIME_LIMIT_MS / 2 ? failureOf(test, 4 * timeout) : undefined;
}

/**
 * Runs the tests of one library for Stryker. Its own runner starts Jest for each mutant and loads every module again, which
 * takes half a second. This one loads them once and switches mutants while they stay loaded, which takes milliseconds. It
 * cannot try a mutant in code that runs as its module loads.
 */
class LoadedTestRunner {
  #loaded = null;

  /** Stryker would start a new process for each mutant in code that also ran as its module loaded. None is needed. */
  capabilities() {
    return { reloadEnvironment: true };
  }

  async dryRun() {
    const { tests, namespace } = await this.#load();
    const results = [];
    for (const test of tests.values()) {
      namespace.currentTestId = test.id;
      const failure = await failureOf(test);
      namespace.currentTestId = undefined;
      const { id, name, fileName, startPosition, spentMs: timeSpentMs } = test;
      const status = failure === null ? SUCCESS : FAILED;
      results.push({ id, name, fileName, startPosition, timeSpentMs, status, failureMessage: String(failure?.stack) });
    }
    return { status: 'complete', tests: results, mutantCoverage: namespace.mutantCoverage };
  }

  async mutantRun({ activeMutant, testFilter, hitLimit }, again = false) {
    const { tests, namespace } = await this.#load();
    const chosen = (testFilter ?? [...tests.keys()]).map((id) => tests.get(id));
    for (const [index, test] of chosen.sort((a, b) => a.spentMs - b.spentMs).entries()) {
      Object.assign(namespace, { activeMutant: activeMutant.id, hitCount: hitLimit && 0, hitLimit });
      const failure = await failureOf(test);
      const hits = namespace.hitCount;
      Object.assign(namespace, { activeMutant: undefined, hitCount: undefined });
      if (failure === null) continue;
      // A mutant may leave something behind that fails every later test.
      const leftBehind = (await failureOf(test)) !== null;
      if (leftBehind) await this.dispose();
      if (failure === undefined || hits > hitLimit) return { status: 'timeout', reason: `${test.name} does not end` };
      if (leftBehind && !again) return this.mutantRun({ activeMutant, testFilter, hitLimit }, true);
      const failureMessage = String(failure.message ?? failure);
      return { status: 'killed', killedBy: [test.id], failureMessage, nrOfTests: index + 1 };
    }
    return { status: 'survived', nrOfTests: chosen.length };
  }

  async dispose() {
    const loaded = this.#loaded;
    this.#loaded = null;
    await loaded?.end();
  }

  async #load() {
    if (this.#loaded === null) {
      const root = process.cwd();
      const asked = process.env.COUNTERSIGN_MUTATED_TESTS.split(',');
      this.#loaded = await loadTests(
        root,
        asked.flatMap((wanted) => specificationsIn(root, wanted)),
      );
      for (const hook of this.#loaded.beforeAll) await hook();
    }
    return this.#loaded;
  }
}

export const strykerPlugins = [{ kind: 'TestRunner', name: 'loaded', injectableClass: LoadedTestRunner }];
