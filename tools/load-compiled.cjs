'use strict';
/**
 * Lets Node load the chunks of the programs with the code that V8 compiled at the build. Each chunk has it beside it, as
 * `<chunk>.cache`. V8 refuses code of another version, or for other options of V8, and then compiles the chunk anew.
 *
 * Node itself caches compiled modules from version 22 on, in files that it writes at each start. Countersign also runs on
 * Node 20, and without a writable folder.
 */
const { readFileSync } = require('node:fs');
const { createRequire } = require('node:module');
const { dirname } = require('node:path');
const { Script } = require('node:vm');

const HEAD = '(function (exports, require, module, __filename, __dirname) {';
const loadAsUsual = require.extensions['.js'];

/** @returns the text of a chunk as a function of the variables that Node gives to a CommonJS module. */
const wrapped = (filename) => `${HEAD}${readFileSync(filename, 'utf8')}\n})`;

const compile = (filename, cachedData) =>
  new Script(wrapped(filename), {
    filename,
    // The first line has its columns as in the file.
    columnOffset: -HEAD.length,
    cachedData,
  });

const run = (script, module, filename) =>
  script.runInThisContext()(module.exports, createRequire(filename), module, filename, dirname(filename));

function cacheOf(filename) {
  try {
    return readFileSync(`${filename}.cache`);
  } catch {
    return undefined;
  }
}

require.extensions['.cjs'] = (module, filename) => {
  const cache = cacheOf(filename);
  if (cache === undefined) loadAsUsual(module, filename);
  else run(compile(filename, cache), module, filename);
};

exports.wrapped = wrapped;

/**
 * Loads all chunks, and only then takes their compiled code: a function is in it if it has been called.
 *
 * @param write gets the path of each cache, and its content.
 */
exports.compileAll = (chunks, write) => {
  const scripts = new Map();
  require.extensions['.cjs'] = (module, filename) => {
    const script = compile(filename);
    scripts.set(filename, script);
    run(script, module, filename);
  };
  for (const chunk of chunks) require(chunk);
  for (const [filename, script] of scripts) write(`${filename}.cache`, script.createCachedData());
};
