/**
 * Finds a Temporal server, built from tools/temporal/go.mod, and the npm packages that workers need for it, those of
 * test/scale/temporal/package-lock.json. Each is made once, into a cache keyed by those files.
 *
 *   node tools/temporal.mjs    makes both if need be, and prints them as JSON: the server's path, the folder of the packages
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findGoProgram } from './go-program.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const PACKAGES = join(root, 'test/scale/temporal');
const FILES = ['package.json', 'package-lock.json'];

const SERVER = {
  name: 'temporal-server',
  module: 'go.temporal.io/server/cmd/server',
  folder: join(root, 'tools/temporal'),
  shown: 'tools/temporal/go.mod',
  takes: 'about a quarter of an hour',
};

function folderOfPackages() {
  const key = createHash('sha256');
  for (const file of FILES) key.update(readFileSync(join(PACKAGES, file)));
  const cache = process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache');
  return join(cache, 'countersign', `temporal-packages-${key.digest('hex').slice(0, 16)}`);
}

/** Others see the folder once it is complete. */
function installPackages(folder) {
  process.stderr.write('Installing the packages of Temporal, once (about a minute)...\n');
  const unfinished = `${folder}.${process.pid}`;
  mkdirSync(unfinished, { recursive: true });
  for (const file of FILES) copyFileSync(join(PACKAGES, file), join(unfinished, file));
  const npm = ['ci', '--silent', '--no-audit', '--no-fund', '--prefix', unfinished];
  const { status } = spawnSync('npm', npm, { stdio: ['ignore', 2, 'inherit'] });
  if (status === 0 && !existsSync(folder)) renameSync(unfinished, folder);
  rmSync(unfinished, { recursive: true, force: true });
}

const { path: server, lack } = findGoProgram(SERVER, { build: true });
const packages = folderOfPackages();
if (!existsSync(packages)) installPackages(packages);
if (server === null || !existsSync(packages)) {
  process.stderr.write(`${server === null ? lack : 'The packages of Temporal could not be installed'}.\n`);
  process.exitCode = 1;
} else {
  process.stdout.write(`${JSON.stringify({ server, packages: join(packages, 'node_modules') })}\n`);
}
