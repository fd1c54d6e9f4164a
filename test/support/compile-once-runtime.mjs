import { dirname, resolve } from 'node:path';
import { compileFunction } from 'node:vm';
import JestRuntime from 'jest-runtime';

/** By file: its transformed source, and the function compiled of it. A worker keeps both for all its test files. */
const sources = new Map();
const functions = new Map();

/** By file: each module that test files share, once one of them has loaded it. */
const shared = new Map();
/** The runtime of the file that runs. */
let current;

/** Packages that keep what a file tells them: the logger of the first application, and the tracer that a process began with. */
const NEVER_SHARED = ['/node_modules/nestjs-pino/', '/node_modules/@opentelemetry/'];

/** The project's own libraries of data and pure functions: hundreds of schemas and the table of commands. */
const PURE = /\/libs\/(foundation\/(api-schemas|canonical|formats|policy-inputs|words)|rules\/shell-safety)\/src\//;

/** They keep validators that Ajv compiled, by schema. */
const VALIDATORS =
  /\/libs\/(rules\/policy\/src\/adapters\/input-shape|registry\/tool\/src\/domain\/validate-arguments)\.ts$/;

const isShared = (path) =>
  path.includes('/node_modules/')
    ? !NEVER_SHARED.some((each) => path.includes(each))
    : VALIDATORS.test(path) || (PURE.test(path) && !/\.spec\.|\.contract\.|\/fake-/.test(path));

/** Shared modules import the kernel, which each file evaluates anew, and no other module of that kind. */
const KERNEL = /\/libs\/foundation\/kernel\//;

/** Whether no shared module imports the named one, so a file that mocks it shares them all the same. */
function isUnknownToShared(from, name) {
  if (!name.startsWith('.')) return false;
  const path = resolve(dirname(from), name.replace(/\.js$/, '.ts'));
  return !isShared(path) && !KERNEL.test(path);
}

/** Code of a shared module that kept the runtime of the file that loaded it would keep all that the file made: none of these does. */
const createRequire = (path) => current.requireModuleOrMock(path, 'node:module').createRequire(path);
const requireOfCurrent = (filename) =>
  new Proxy(() => undefined, {
    apply: (_target, _this, [name]) => {
      const required = current.requireModuleOrMock(filename, name);
      return /^(node:)?module$/.test(name) ? Object.assign(Object.create(required), { createRequire }) : required;
    },
    get: (_target, key) => current.ownRequire(filename)[key],
  });
/** jest then defines `parent` and `main`, both of the file, so that they can be deleted at its end. */
const FILE = ['parent', 'main'];
const openToDelete = (module) => {
  for (const key of FILE) Reflect.defineProperty(module, key, { configurable: true, value: null });
};

/**
 * Compiles a module once a worker, and evaluates packages and pure libraries once. Each test file still evaluates the other modules
 * anew, so no state of theirs outlives the file. A file that mocks what these import shares nothing.
 * One realm for all files is the condition (one-realm-environment.mjs).
 */
export default class CompileOnceRuntime extends JestRuntime {
  #mocks = false;
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
    for (const [path, module] of shared) this.registries.moduleRegistry.set(path, module);
    current = this;
  }

  setMock(from, name, ...given) {
    if (!this.#mocks && !isUnknownToShared(from, name)) {
      for (const path of shared.keys()) this.registries.moduleRegistry.delete(path);
      this.#mocks = true;
    }
    super.setMock(from, name, ...given);
  }

  teardown() {
    if (!this.#mocks)
      for (const [path, module] of this.registries.moduleRegistry)
        if (isShared(path) && module.loaded) {
          for (const key of FILE) Reflect.deleteProperty(module, key);
          shared.set(path, module);
        }
    super.teardown();
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
    const { moduleRegistry } = this.registries;
    moduleRegistry.set = (path, module) => {
      if (isShared(path) && !shared.has(path)) openToDelete(module);
      return Map.prototype.set.call(moduleRegistry, path, module);
    };
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
