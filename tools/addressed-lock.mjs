/**
 * Gives the packages of a lock file their addresses in the registry of this machine. Our lock files name none, so they hold for
 * every registry. npm then asks for the description of each package, with all its versions: 155 MB for those of this project.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const WITHOUT_SHELL = process.platform !== 'win32';

/**
 * The text of a lock file with addresses. npm compares each package with the checksum in the lock file, as ever.
 *
 * @param {string} file the path of a package-lock.json.
 */
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
  const { status, stdout, stderr } = spawnSync('npm', ['config', 'list', '--json'], {
    encoding: 'utf8',
    shell: !WITHOUT_SHELL,
  });
  if (status !== 0) throw new Error(`npm config list failed: ${stderr}`);
  return JSON.parse(stdout);
}
