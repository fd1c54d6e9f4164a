import { compileFunction } from 'node:vm';
import JestRuntime from 'jest-runtime';

/** By file: its transformed source, and the function compiled of it. A worker keeps both for all its test files. */
const sources = new Map();
const functions = new Map();

/**
 * Compiles a module once a worker. Each test file still evaluates it anew, so no state of a module outlives the file.
 * One realm for all files is the condition (one-realm-environment.mjs).
 */
export default class CompileOnceRuntime extends JestRuntime {
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
