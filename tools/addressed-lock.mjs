/**
 * Installs the packages of a lock file from their addresses in the registry of this machine. Our lock files name none, so they hold
 * for every registry. npm would ask for the description of each package, with all its versions: 155 MB for those of this project.
 */
import { spawnSync } from 'node:child_process';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const SHELL = process.platform === 'win32';

/**
 * Installs the packages into a folder that has the package.json of the lock file. npm compares each package with the checksum
 * in the lock file, as ever. If npm fails, it tries once more without addresses, since the registry may keep a package at another one.
 *
 * @param {string} lockFile the path of a package-lock.json.
 * @param {string} folder an absolute path.
 * @param {readonly string[]} options of `npm ci`.
 * @returns {{ status: number | null, error?: Error }} how npm ended.
 * @throws {Error} if npm cannot tell its settings, with the code ENOENT if there is no npm on the PATH.
 */
export function installLocked(lockFile, folder, options) {
  const install = () => spawnSync('npm', ['ci', ...options], { cwd: folder, stdio: ['ignore', 2, 2], shell: SHELL });
  const copy = join(folder, 'package-lock.json');
  writeFileSync(copy, addressedLock(lockFile));
  const addressed = install();
  if (addressed.status === 0) return addressed;
  process.stderr.write(
    'npm failed. It tries again without addresses, since the registry may keep packages elsewhere ...\n',
  );
  copyFileSync(lockFile, copy);
  return install();
}

/** The text of a lock file with addresses, for a caller whose command runs npm. */
export function addressedLock(file) {
  const lock = JSON.parse(readFileSync(file, 'utf8'));
  const settings = npmSettings();
  for (const [path, entry] of Object.entries(lock.packages)) {
    if (entry.integrity === undefined || entry.resolved !== undefined) continue;
    const name = entry.name ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
    const [base, scope] = name.split('/').reverse();
    const registry = settings[`${scope}:registry`] ?? settings.registry;
    entry.resolved = new URL(`${name}/-/${base}-${entry.version}.tgz`, registry.replace(/\/*$/, '/')).href;
  }
  return JSON.stringify(lock);
}

function npmSettings() {
  const { status, stdout, stderr, error } = spawnSync('npm', ['config', 'list', '--json'], {
    encoding: 'utf8',
    shell: SHELL,
  });
  if (error !== undefined) throw error;
  if (status !== 0) throw new Error(`npm config list failed: ${stderr.trim()}`);
  return JSON.parse(stdout);
}
