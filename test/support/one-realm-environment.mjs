import { AsyncLocalStorage } from 'node:async_hooks';
import { ModuleMocker } from 'jest-mock';

/** The storages of the running file that hold a context. */
const storages = new Set();

for (const method of ['run', 'enterWith']) {
  const enter = AsyncLocalStorage.prototype[method];
  AsyncLocalStorage.prototype[method] = function (...given) {
    storages.add(this);
    return enter.apply(this, given);
  };
}

/**
 * Runs a test file in the worker's own realm; jest's usual environment makes a new one for each file. In one realm the
 * functions that compile-once-runtime.mjs compiled serve every file. The end of a file restores globals, environment
 * variables, listeners and exit of the process, and disables its storages: Node visits each enabled AsyncLocalStorage at the
 * beginning of every promise, and each file makes storages of its own.
 */
export default class OneRealmEnvironment {
  global = globalThis;
  moduleMocker = new ModuleMocker(globalThis);
  fakeTimers = null;
  fakeTimersModern = null;
  #globals = Object.getOwnPropertyDescriptors(globalThis);
  #environment = { ...process.env };
  #exit = process.exit;
  #exitCode = process.exitCode;
  #listeners = new Map(process.eventNames().map((name) => [name, process.rawListeners(name)]));

  setup() {
    return Promise.resolve();
  }

  async teardown() {
    for (const storage of storages) storage.disable();
    storages.clear();
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
