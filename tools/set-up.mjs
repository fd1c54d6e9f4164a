/**
 * Makes a checkout ready, using nothing but Node and npm: dependencies as locked, and with --build the compiled code.
 * Every npm script that a new user runs starts here; if all is ready it costs a moment.
 *
 *   node tools/set-up.mjs            dependencies
 *   node tools/set-up.mjs --build    dependencies and dist/, the web UI in it
 *   node tools/set-up.mjs --emit     dependencies and dist/ without the web UI, types unchecked, since the files that the
 *                                    code generates may be out of date
 *   node tools/set-up.mjs --emit --build    as --build, types unchecked, since the caller has just checked them
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installLocked } from './addressed-lock.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
/** npm lists there the packages that it installed, in the form of the lock file itself. */
const LIST = '.package-lock.json';
/** Packages are installed there, in node_modules, before they replace those of before. */
const MAKING = '.making';
const say = (text) => process.stderr.write(`${text}\n`);

function fail(problem, remedy) {
  say(`countersign: ${problem}\n${remedy}`);
  process.exit(1);
}

function readJson(path) {
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : null;
}

function checkNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 19)) {
    fail(
      `this is Node ${process.versions.node}, and 20.19 or newer is needed.`,
      'Install a newer Node and run the same command again.',
    );
  }
}

function dependenciesAreInstalled() {
  const wanted = readJson(join(root, 'package-lock.json'))?.packages ?? {};
  const installed = readJson(join(root, 'node_modules', LIST))?.packages;
  if (installed === undefined) return false;
  return Object.entries(wanted).every(
    ([path, { version, optional }]) =>
      path === '' || installed[path]?.version === version || (optional && installed[path] === undefined),
  );
}

function run(command, args, what) {
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: ['ignore', 2, 2] });
  if (status !== 0) failAfter(what, error);
}

function failAfter(what, error) {
  fail(
    `${what} failed${error === undefined ? '' : `: ${error.message}`}.`,
    'What went wrong stands above; fix it and run the same command again.',
  );
}

function installDependencies() {
  if (dependenciesAreInstalled()) return;
  say('Installing dependencies as package-lock.json has them (about a minute the first time) ...');
  // Beside the packages of before, for which npm would look in the lock file without addresses.
  const making = join(root, 'node_modules', MAKING);
  rmSync(making, { recursive: true, force: true });
  mkdirSync(making, { recursive: true });
  for (const file of ['package.json', '.npmrc']) copyFileSync(join(root, file), join(making, file));
  const options = ['--no-audit', '--no-fund', '--loglevel=error'];
  const { status, error } = endOf(() => installLocked(join(root, 'package-lock.json'), making, options));
  if (error?.code === 'ENOENT') {
    fail(
      'npm was not found, which installs the dependencies.',
      'Install npm, which comes with Node, or add its folder to the PATH, and run the same command again.',
    );
  }
  if (status !== 0) failAfter('Installing dependencies', error);
  replaceDependencies(making);
}

function endOf(install) {
  try {
    return install();
  } catch (error) {
    return { status: null, error };
  }
}

/** An interrupted replacement has no list of the installed packages, so the next run begins anew. */
function replaceDependencies(making) {
  const target = dirname(making);
  const remove = (name) => rmSync(join(target, name), { recursive: true, force: true });
  remove(LIST);
  for (const name of readdirSync(target)) if (name !== MAKING) remove(name);
  const made = readdirSync(join(making, 'node_modules'));
  for (const name of [...made.filter((each) => each !== LIST), LIST])
    renameSync(join(making, 'node_modules', name), join(target, name));
  remove(MAKING);
}

function compile(...options) {
  if (!existsSync(join(root, 'dist'))) say('Compiling (about half a minute the first time) ...');
  run(process.execPath, ['node_modules/typescript-7/bin/tsc', '-p', 'tsconfig.build.json', ...options], 'Compiling');
}

/** Each bundler works on one core for most of its time. */
async function bundle() {
  const builders = {
    'tools/bundle-programs.mjs': 'Bundling the programs',
    'tools/build-web.mjs': 'Building the web UI',
  };
  const ends = Object.entries(builders).map(async ([script, what]) => {
    const child = spawn(process.execPath, [script], { cwd: root, stdio: ['ignore', 2, 2] });
    const [status] = await once(child, 'exit');
    return status === 0 ? [] : [what];
  });
  for (const what of (await Promise.all(ends)).flat()) failAfter(what);
  // npx does that only when it first links the folder. A new build, or a new clone at the same place, would be refused.
  for (const command of Object.values(readJson(join(root, 'package.json')).bin)) chmodSync(join(root, command), 0o755);
}

checkNode();
installDependencies();
const [emits, builds] = ['--emit', '--build'].map((option) => process.argv.includes(option));
if (emits) compile('--noCheck');
else if (builds) compile();
if (builds) await bundle();
