import { createRequire as requireOfNode, isBuiltin } from 'node:module';
import { dirname, resolve } from 'node:path';
import { compileFunction } from 'node:vm';
import JestRuntime from 'jest-runtime';
import { isShared } from './shared-modules.mjs';

/** By file: its transformed source, and the function compiled of it. A worker keeps both for all its test files. */
const sources = new Map();
const functions = new Map();

/** By importing file: how Node requires a module of jest, and its path by name. */
const requires = new Map();
/** The package of jest that keeps what belongs to one test file; its own dependencies don't. */
const OF_ONE_FILE = /\/node_modules\/jest-circus\/(?!node_modules\/)/;

/** By file: each module that test files share, once one of them has loaded it. */
const shared = new Map();
/** The runtime of the file that runs, or of the last one. */
let current;
const requireAfterwards = requireOfNode(import.meta.url);

/** Whether no shared module imports the named one, so a file that mocks it shares them all the same. */
const isUnknownToShared = (from, name) =>
  name.startsWith('.') && !isShared(resolve(dirname(from), name.replace(/\.js$/, '.ts')));

/**
 * Code of a shared module could keep the runtime of the file that loaded it. It would keep all that the file made. None of these
 * does.
 */
const createRequire = (path) => current.requireModuleOrMock(path, 'node:module').createRequire(path);
/** Jest refuses to require anything between two files, when a kept service may connect anew. */
const moduleOf = (filename, name) =>
  current.ended && isBuiltin(name) ? requireAfterwards(name) : current.requireModuleOrMock(filename, name);
const requireOfCurrent = (filename) =>
  new Proxy(() => undefined, {
    apply: (_target, _this, [name]) => {
      const required = moduleOf(filename, name);
      return /^(node:)?module$/.test(name) ? Object.assign(Object.create(required), { createRequire }) : required;
    },
    get: (_target, key) => current.ownRequire(filename)[key],
  });
/** jest then defines `parent` and `main`, both of the file, so that they can be deleted at its end. */
const FILE = ['parent', 'main'];
const openToDelete = (module) => {
  for (const key of FILE) Reflect.defineProperty(module, key, { configurable: true, value: null });
};

/** The modules of one test file, before those that files share. */
class ModulesOfFile extends Map {
  /** Whether it has the shared ones. */
  shares = true;

  get(path) {
    return super.get(path) ?? (this.shares ? shared.get(path) : undefined);
  }

  has(path) {
    return super.has(path) || (this.shares && shared.has(path));
  }

  set(path, module) {
    if (isShared(path)) openToDelete(module);
    return super.set(path, module);
  }

  clear() {
    this.shares = false;
    super.clear();
  }
}

/**
 * Compiles a module once a worker, and evaluates packages and the product's modules without state once. Each test file still
 * evaluates the other modules anew, so no state of theirs outlives the file. A file that mocks a shared module shares nothing.
 * One realm for all files is the condition (one-realm-environment.mjs).
 */
export default class CompileOnceRuntime extends JestRuntime {
  /** Whether the file is over. */
  ended = false;
  #modules = new ModulesOfFile();
  #buildRequire;

  constructor(...options) {
    super(...options);
    const { watch, watchAll } = options.at(-1);
    // Between two runs of a watch, files change.
    if (watch || watchAll) {
      sources.clear();
      functions.clear();
      shared.clear();
    }
    this.#rememberSources();
    this.#rememberFunctions();
    this.#requireAnew();
    this.#loadWithoutFile();
    this.registries.moduleRegistry = this.#modules;
    current = this;
  }

  setMock(from, name, ...given) {
    if (!isUnknownToShared(from, name)) this.#modules.shares = false;
    super.setMock(from, name, ...given);
  }

  teardown() {
    this.ended = true;
    if (this.#modules.shares)
      for (const [path, module] of this.#modules)
        if (isShared(path) && module.loaded) {
          for (const key of FILE) Reflect.deleteProperty(module, key);
          shared.set(path, module);
        }
    super.teardown();
  }

  /** The rest of jest's own modules are those that its worker has loaded anyway. */
  requireInternalModule(from, to) {
    if (to === undefined) return super.requireInternalModule(from);
    const { ofNode, paths } = requires.get(from) ?? { ofNode: requireOfNode(from), paths: new Map() };
    requires.set(from, { ofNode, paths });
    const path = paths.get(to) ?? ofNode.resolve(to);
    paths.set(to, path);
    return OF_ONE_FILE.test(path) ? super.requireInternalModule(from, to) : ofNode(path);
  }

  /** A shared module may require another one late, when the file that loaded it has ended. */
  #requireAnew() {
    const { requireBuilder } = this;
    const build = requireBuilder.for.bind(requireBuilder);
    requireBuilder.for = (from, options) =>
      options?.isInternalModule === true || !isShared(from.filename)
        ? build(from, options)
        : requireOfCurrent(from.filename);
    this.#buildRequire = build;
  }

  #loadWithoutFile() {
    const { jestGlobals } = this.executor;
    const jestObjectFor = jestGlobals.jestObjectFor.bind(jestGlobals);
    jestGlobals.jestObjectFor = (filename) => (isShared(filename) ? undefined : jestObjectFor(filename));
  }

  /** As jest makes it for a module of this file alone. */
  ownRequire(filename) {
    return this.#buildRequire({ filename });
  }

  #rememberSources() {
    const { transformCache } = this;
    const transform = transformCache.transform.bind(transformCache);
    transformCache.transform = (filename, options) => {
      const key = options?.isInternalModule === true ? `internal:${filename}` : filename;
      const known = sources.get(key) ?? {
        code: transform(filename, options),
        map: transformCache.sourceMaps.get(filename),
      };
      sources.set(key, known);
      if (known.map !== undefined) transformCache.sourceMaps.set(filename, known.map);
      return known.code;
    };
  }

  #rememberFunctions() {
    const { executor } = this;
    executor.compile = (code, filename) => {
      const known = functions.get(filename);
      if (known?.code === code) return known.run;
      const run = compileFunction(code, executor.injectedModuleParameters, { filename });
      functions.set(filename, { code, run });
      return run;
    };
  }
}
