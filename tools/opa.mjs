/**
 * Finds the opa binary: built from tools/go.mod if a Go is that can (once, into a cache keyed by go.sum), else from
 * PATH.
 *
 *   node tools/opa.mjs            prints its path, building it if need be; exit code 3, with the reason, if there is none
 *   node tools/opa.mjs --cached   prints its path without building
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const tools = dirname(fileURLToPath(import.meta.url));
const windows = process.platform === 'win32';

const runs = (command, args) => spawnSync(command, args, { stdio: 'ignore' }).status === 0;

function cachedBinary() {
  const pins = createHash('sha256');
  for (const name of ['go.mod', 'go.sum']) pins.update(readFileSync(join(tools, name)));
  const cache = process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache');
  return join(cache, 'countersign', `opa-${pins.digest('hex').slice(0, 16)}`, windows ? 'opa.exe' : 'opa');
}

/** Numbers of a version: `1.26.8` of `go version go1.26.8 linux/amd64`. */
const versionIn = (text) => /\d+(\.\d+)+/.exec(text)?.[0].split('.').map(Number) ?? [];

/** The Go on the PATH, as far as it can build opa; or why it cannot. */
function findGo() {
  const needed = versionIn(/^go .*$/m.exec(readFileSync(join(tools, 'go.mod'), 'utf8'))?.[0] ?? '');
  const answer = spawnSync('go', ['version'], { encoding: 'utf8', env: { ...process.env, GOTOOLCHAIN: 'local' } });
  if (answer.status !== 0) return { usable: false, lack: `there is no Go ${needed.join('.')} to build opa with` };
  const found = versionIn(answer.stdout);
  const differs = needed.findIndex((number, index) => number !== (found[index] ?? 0));
  if (differs === -1 || (found[differs] ?? 0) > needed[differs]) return { usable: true };
  return { usable: false, lack: `Go ${found.join('.')} cannot build opa: tools/go.mod needs ${needed.join('.')}` };
}

/** The path of an opa to run, or null with the reason why there is none. */
export function findOpa({ build }) {
  const binary = cachedBinary();
  if (existsSync(binary)) return { path: binary };
  const go = build ? findGo() : { usable: false, lack: 'opa has not been built from tools/go.mod' };
  if (go.usable) {
    process.stderr.write('Building opa from tools/go.mod, once (about a minute)...\n');
    mkdirSync(dirname(binary), { recursive: true });
    const unfinished = `${binary}.${process.pid}`;
    const built = spawnSync('go', ['build', '-o', unfinished, 'github.com/open-policy-agent/opa'], {
      cwd: tools,
      env: { ...process.env, GOTOOLCHAIN: 'local', GOFLAGS: '-mod=readonly' },
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    if (built.status !== 0) return { path: null, reason: 'opa could not be built from tools/go.mod' };
    renameSync(unfinished, binary);
    return { path: binary };
  }
  if (runs('opa', ['version'])) return { path: 'opa' };
  return {
    path: null,
    reason: `${go.lack}, and there is none on the PATH: install Go as tools/go.mod needs it, or an opa of the version it names`,
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
