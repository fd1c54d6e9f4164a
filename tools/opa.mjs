/**
 * Finds the opa binary. It is built from tools/go.mod if a Go can do that (once, into a cache keyed by go.sum). Else it is taken
 * from PATH.
 *
 *   node tools/opa.mjs            prints its path, building it if need be; exit code 3, with the reason, if there is none
 *   node tools/opa.mjs --cached   prints its path without building
 */
import { spawnSync } from 'node:child_process';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findGoProgram } from './go-program.mjs';

const OPA = {
  name: 'opa',
  module: 'github.com/open-policy-agent/opa',
  folder: dirname(fileURLToPath(import.meta.url)),
  shown: 'tools/go.mod',
  takes: 'about a minute',
};

const runs = (command, args) => spawnSync(command, args, { stdio: 'ignore' }).status === 0;

/** The path of an opa to run, or null with the reason why there is none. */
export function findOpa({ build }) {
  const { path, lack, failed = false } = findGoProgram(OPA, { build });
  if (path !== null) return { path };
  if (failed) return { path: null, reason: lack };
  if (runs('opa', ['version'])) return { path: 'opa' };
  return {
    path: null,
    reason: `${lack}, and there is none on the PATH. Install Go as tools/go.mod needs it, or an opa of the version it names`,
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { path, reason } = findOpa({ build: !process.argv.includes('--cached') });
  if (path === null) {
    process.stderr.write(`${reason}\n`);
    process.exitCode = 3;
  } else {
    process.stdout.write(`${path}\n`);
  }
}
