/**
 * Finds a Python for tests. It is a virtual environment of the packages in a requirements file. By default these test the Python
 * client (clients/python/tests/requirements.txt). The environment is made once, into a cache keyed by that file.
 *
 *   node tools/python-environment.mjs    prints the path of its Python, making it if need be; exit code 3, with the reason, if
 *                                        there is none
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const CLIENT_TESTS = 'clients/python/tests/requirements.txt';
const PROBE = 'import ensurepip, sys, venv; print(".".join(map(str, sys.version_info[:2])), sys.base_prefix)';

/**
 * The path of the Python, or null with the reason why there is none.
 *
 * @param file the requirements file, by its path in this package; it names each package, and dependencies are not added.
 */
export function findPython(file = CLIENT_TESTS) {
  const requirements = join(root, file);
  const found = spawnSync('python3', ['-c', PROBE], { encoding: 'utf8' });
  if (found.status !== 0) return { path: null, reason: 'no python3 with venv; install python3-venv' };
  const [, major = 0, minor = 0] = /^(\d+)\.(\d+)/.exec(found.stdout) ?? [];
  if (Number(major) !== 3 || Number(minor) < 10) return { path: null, reason: 'python3 is older than 3.10' };
  const key = createHash('sha256').update(found.stdout).update(readFileSync(requirements)).digest('hex').slice(0, 16);
  const folder = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'countersign', `python-${key}`);
  const path = join(folder, 'bin/python');
  if (existsSync(path)) return { path };
  return makeEnvironment(folder, requirements)
    ? { path }
    : { path: null, reason: 'the packages could not be installed' };
}

/** Others see the folder once it is complete. */
function makeEnvironment(folder, requirements) {
  process.stderr.write(`Installing the packages of ${requirements}, once (about a minute)...\n`);
  const unfinished = `${folder}.${process.pid}`;
  mkdirSync(dirname(folder), { recursive: true });
  const run = (command, ...args) => spawnSync(command, args, { stdio: ['ignore', 2, 'inherit'] }).status === 0;
  const pip = ['-m', 'pip', 'install', '--quiet', '--no-deps', '--disable-pip-version-check'];
  const made =
    run('python3', '-m', 'venv', unfinished) &&
    run(join(unfinished, 'bin/python'), ...pip, '--requirement', requirements);
  // Its Python finds its packages beside itself, wherever the folder is. Another run may have been faster.
  try {
    if (made) renameSync(unfinished, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
  }
  rmSync(unfinished, { recursive: true, force: true });
  return made;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { path, reason } = findPython();
  if (path === null) {
    process.stderr.write(`${reason}\n`);
    process.exit(3);
  }
  process.stdout.write(`${path}\n`);
}
