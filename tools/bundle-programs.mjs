/**
 * Bundles the compiled programs into dist/programs, with our own code and that of packages. Has this Node compile the bundles
 * ahead. A program then starts with a fifth of the work. If nothing changed since the last time it costs a moment.
 *
 *   node tools/bundle-programs.mjs [FOLDER]     of the package, if it is not this one
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  linkSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const tools = dirname(fileURLToPath(import.meta.url));
const root = resolve(process.argv[2] ?? dirname(tools));
const dist = join(root, 'dist');
const target = join(dist, 'programs');
/** The file that has Node load compiled code; each program begins with it. */
const LOADER = 'load-compiled.cjs';
/** The files that a process or a thread begins with. Only tests have `prepared`. */
const BEGINNINGS = ['main.js', 'prepared.js', 'replay-thread.js', 'search-thread.js'];
const KEPT_FOR_MS = 7 * 24 * 60 * 60 * 1_000;

/** A digest of everything that the bundles depend on. */
function sourcesDigest() {
  const compiled = ['apps', 'libs'].flatMap((folder) =>
    readdirSync(join(dist, folder), { recursive: true })
      .filter((path) => path.endsWith('.js'))
      .map((path) => join(dist, folder, path))
      .sort(),
  );
  const hash = createHash('sha256').update(`${process.version} ${process.arch}`);
  for (const file of [...compiled, join(root, 'package.json'), fileURLToPath(import.meta.url), join(tools, LOADER)])
    hash.update('\0').update(file.slice(root.length)).update('\0').update(readFileSync(file));
  return hash.digest('hex');
}

/** @returns the compiled file of each program and thread, by its path in dist/programs. */
function programs() {
  return Object.fromEntries(
    readdirSync(join(dist, 'apps')).flatMap((app) =>
      BEGINNINGS.map((name) => [`${app}/${name}`, join(dist, 'apps', app, 'src', name)]).filter(([, file]) =>
        existsSync(file),
      ),
    ),
  );
}

async function bundle(making) {
  const input = programs();
  const files = new Set(Object.values(input));
  const { build } = await import('rolldown');
  await build({
    input,
    cwd: root,
    platform: 'node',
    // Code of packages asks for optional packages before it uses them, and decorators name types.
    checks: { importIsUndefined: false, unresolvedImport: false, eval: false },
    logLevel: 'warn',
    // These libraries hold schemas, pure functions and classes: a program loads those that it uses.
    treeshake: {
      moduleSideEffects: (id) =>
        !/\/libs\/(foundation\/(api-schemas|formats|policy-inputs|words)|clients\/sdk|rules\/shell-safety)\//.test(id),
    },
    output: {
      dir: making,
      format: 'cjs',
      entryFileNames: '[name]',
      chunkFileNames: 'chunks/[hash].cjs',
      // A text of ASCII alone takes half of the memory, and a third of the time to read.
      charset: 'ascii',
      comments: false,
      // V8 forgets how compiled code of a cache imports modules dynamically.
      dynamicImportInCjs: false,
      banner: ({ facadeModuleId }) => (files.has(facadeModuleId) ? `require('../${LOADER}');` : ''),
      // Only a program's first file starts it. The rest is in chunks, which can be loaded to compile them.
      codeSplitting: { groups: [{ name: 'code', test: (id) => !files.has(id), entriesAware: true }] },
    },
  });
  writeFileSync(join(making, 'package.json'), '{ "type": "commonjs" }\n');
  copyFileSync(join(tools, LOADER), join(making, LOADER));
}

/**
 * Keeps the chunks of former builds for a week. A program that runs meanwhile loads some of its chunks late, by the names of its
 * own build.
 *
 * @param former the folder of the programs before, if there was one.
 */
function keepChunks(former, making) {
  if (!existsSync(join(former, 'chunks'))) return;
  for (const name of readdirSync(join(former, 'chunks')).filter((file) => file.endsWith('.cjs'))) {
    const [from, to] = [join(former, 'chunks', name), join(making, 'chunks', name)];
    if (!existsSync(to) && Date.now() - statSync(from).mtimeMs < KEPT_FOR_MS) linkSync(from, to);
  }
}

/** In a process without options, since V8 takes compiled code for the same options alone, and programs are started without. */
function compileChunks(names) {
  const code = `
    const { writeFileSync } = require('node:fs');
    const chunks = ${JSON.stringify(names)}.map((name) => require('node:path').resolve('chunks', name));
    require('./${LOADER}').compileAll(chunks, writeFileSync);
    process.exit();`;
  const options = { cwd: target, env: { PATH: process.env.PATH }, encoding: 'utf8' };
  const { status, stderr } = spawnSync(process.execPath, ['--eval', code], options);
  if (status !== 0) throw new Error(`the bundles cannot be compiled: ${stderr}`);
}

const [digest, stamp] = [sourcesDigest(), join(target, 'built-from')];
if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== digest) {
  const making = `${target}.${process.pid}`;
  const old = `${making}.old`;
  let names;
  try {
    await bundle(making);
    names = readdirSync(join(making, 'chunks'));
    keepChunks(target, making);
    // Built beside its place, and moved there whole: no program finds files of two builds that do not fit.
    if (existsSync(target)) renameSync(target, old);
    renameSync(making, target);
  } finally {
    for (const folder of [making, old]) rmSync(folder, { recursive: true, force: true });
  }
  // Only there: compiled code has the path of its file in it, which errors show.
  compileChunks(names);
  writeFileSync(stamp, digest);
}
