import { compileFunction } from 'node:vm';
import JestRuntime from 'jest-runtime';

/** By file: its transformed source, and the function compiled of it. A worker keeps both for all its test files. */
const sources = new Map();
const functions = new Map();

/** By file: each module of a package that a test file has loaded. */
const packages = new Map();
/** The runtime of the file that runs. */
let current;

/** Packages that keep what a file tells them: their logger is that of the first application. */
const NEVER_SHARED = ['/node_modules/nestjs-pino/'];

const isOfPackage = (path) => path.includes('/node_modules/') && !NEVER_SHARED.some((each) => path.includes(each));

/**
 * Compiles a module once a worker, and evaluates a package once. Each test file still evaluates the project's own modules anew, so no
 * state of them outlives the file. A file that mocks a module shares no package with others.
 * One realm for all files is the condition (one-realm-environment.mjs).
 */
export default class CompileOnceRuntime extends JestRuntime {
  #mocks = false;

  constructor(...options) {
    super(...options);
    const { watch, watchAll } = options.at(-1);
    // Between two runs of a watch, files change.
    if (watch || watchAll) {
      sources.clear();
      functions.clear();
    }
    this.#rememberSources();
    this.#rememberFunctions();
    this.#requireAnew();
    for (const [path, module] of packages) this.registries.moduleRegistry.set(path, module);
    current = this;
  }

  setMock(...given) {
    if (!this.#mocks) for (const path of packages.keys()) this.registries.moduleRegistry.delete(path);
    this.#mocks = true;
    super.setMock(...given);
  }

  teardown() {
    if (!this.#mocks)
      for (const [path, module] of this.registries.moduleRegistry)
        if (isOfPackage(path) && module.loaded) packages.set(path, module);
    super.teardown();
  }

  /** A package may require another one late, when the file that loaded it has ended. */
  #requireAnew() {
    const { requireBuilder } = this;
    const build = requireBuilder.for.bind(requireBuilder);
    requireBuilder.for = (from, options) => {
      const own = build(from, options);
      if (options?.isInternalModule === true || !isOfPackage(from.filename)) return own;
      return new Proxy(own, { apply: (_own, _this, [name]) => current.requireModuleOrMock(from.filename, name) });
    };
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
