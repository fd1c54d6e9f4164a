import { AsyncLocalStorage } from 'node:async_hooks';
import { readFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { ModuleMocker } from 'jest-mock';

/** jest's message that tells a worker to end. */
const END = 2;
/** Standard output and error of a worker, as Node calls them. They keep no process. */
const STANDARD = ['PipeWrap', 'PipeWrap'];

/**
 * Ends a worker that jest has told to end, if nothing keeps it. Otherwise Node would wait for the threads of V8, which collect garbage
 * of a gigabyte, and dispose of the heap. After half a second jest ends a worker by force and reports a leak of a test.
 */
function endIfNothingKeeps([kind]) {
  if (kind !== END) return;
  process.off('message', endIfNothingKeeps);
  if (process.getActiveResourcesInfo().join() === STANDARD.join()) process.exit();
}
/** Ends a worker that was kept, and is no longer. */
const endAtOnce = () => process.exit();
if (process.send !== undefined) process.on('message', endIfNothingKeeps).on('beforeExit', endAtOnce);

/** Node's own code, and that of packages. */
const OF_OTHERS = /^node:|\/node_modules\//;

/**
 * jest looks up the source of each frame, and copies the frame. Playwright reads a stack for each call and each wait, most of it
 * its own frames. These are written as they stand.
 *
 * @param format how jest writes a stack.
 */
const lookingUpOwnFrames = (format) => (error, frames) => {
  const head = format(error, []);
  const lineOf = (frame) =>
    OF_OTHERS.test(frame.getFileName()) ? `\n    at ${frame}` : format(error, [frame]).slice(head.length);
  return head + frames.map(lineOf).join('');
};

/** V8 would drop the bytecode of functions that rested for a few collections. A later file of the worker compiles them again. */
setFlagsFromString('--no-flush-bytecode');
/** Threads that collect side by side wait for each other while other workers have the cores. */
setFlagsFromString('--no-parallel-scavenge');

/** The kinds of tests with a service: most functions of their files run a few times. */
const RUNS_A_SERVICE = ['e2e', 'db'];
/** How many bytes of bytecode V8 interprets of a function before it considers its optimization. */
const BUDGET = { usual: 67_584, later: 600_000 };

/**
 * Has V8 optimize later in files of a service. There an optimization costs more than it saves, and in others it doesn't. The flag
 * is that of Node 20; another Node may know another.
 */
function setBudget(kind) {
  if (!process.version.startsWith('v20.')) return;
  const budget = RUNS_A_SERVICE.includes(kind) ? BUDGET.later : BUDGET.usual;
  setFlagsFromString(`--interrupt-budget=${String(budget)}`);
}

/** Whether a storage holds the test or hook that runs, as jest tells its own code. */
const isOfJest = (store) => (store?.test ?? store?.hook)?.asyncError !== undefined;

/**
 * Runs a test file in the worker's own realm; jest's usual environment makes a new one for each file. In one realm the
 * functions that compile-once-runtime.mjs compiled serve every file. The end of a file restores globals, environment variables
 * and the format of stacks. It also restores listeners and exit of the process, and disables its storages. Node visits each
 * enabled AsyncLocalStorage at the beginning of every promise, and each file makes storages of its own. Of the globals it leaves
 * the one of `expect`: a worker loads that once, and it cannot be deleted. The end also empties jest's facts about each test.
 * Timers, sockets and processes keep them, and with them the whole file, as long as they live.
 */
export default class OneRealmEnvironment {
  /** V8 gives modules of the same bytes the code that it compiled, as long as one of them lives. This one does. */
  static policies = new WebAssembly.Module(readFileSync(new URL('../../policies/bundle/policy.wasm', import.meta.url)));

  global = globalThis;
  moduleMocker = new ModuleMocker(globalThis);
  fakeTimers = null;
  fakeTimersModern = null;
  #storages = new Set();
  #contexts = new Set();
  #enter = ['run', 'enterWith'].map((method) => [method, AsyncLocalStorage.prototype[method]]);
  #globals = Object.getOwnPropertyDescriptors(globalThis);
  #environment = { ...process.env };
  #exit = process.exit;
  #exitCode = process.exitCode;
  #formatStack;
  #listeners = new Map(process.eventNames().map((name) => [name, process.rawListeners(name)]));

  constructor({ projectConfig } = {}) {
    setBudget(projectConfig?.displayName?.name);
    const [storages, contexts] = [this.#storages, this.#contexts];
    for (const [method, enter] of this.#enter)
      AsyncLocalStorage.prototype[method] = function (...given) {
        storages.add(this);
        if (isOfJest(given[0])) contexts.add(given[0]);
        return enter.apply(this, given);
      };
  }

  setup() {
    this.#formatStack = Error.prepareStackTrace;
    Error.prepareStackTrace = lookingUpOwnFrames(this.#formatStack);
    return Promise.resolve();
  }

  async teardown() {
    if (this.#formatStack !== undefined) Error.prepareStackTrace = this.#formatStack;
    for (const [method, enter] of this.#enter) AsyncLocalStorage.prototype[method] = enter;
    for (const storage of this.#storages) storage.disable();
    this.#storages.clear();
    for (const context of this.#contexts) for (const key of Object.keys(context)) Reflect.deleteProperty(context, key);
    this.#contexts.clear();
    this.#restoreGlobals();
    for (const name of Object.keys(process.env))
      if (!(name in this.#environment)) Reflect.deleteProperty(process.env, name);
    Object.assign(process.env, this.#environment);
    process.exit = this.#exit;
    process.exitCode = this.#exitCode;
    for (const name of process.eventNames()) {
      const before = this.#listeners.get(name) ?? [];
      const added = process.rawListeners(name).filter((listener) => !before.includes(listener));
      for (const listener of added) process.removeListener(name, listener);
    }
  }

  #restoreGlobals() {
    for (const key of Reflect.ownKeys(globalThis)) {
      const before = this.#globals[key];
      if (before === undefined) Reflect.deleteProperty(globalThis, key);
      else if ('value' in before && globalThis[key] !== before.value) Reflect.defineProperty(globalThis, key, before);
    }
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }

  getVmContext() {
    return globalThis;
  }
}
