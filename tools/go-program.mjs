/** Programs that are built from a go.mod of ours, once, into a cache keyed by it. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

const windows = process.platform === 'win32';

function cachedBinary({ name, folder }) {
  const pins = createHash('sha256');
  for (const file of ['go.mod', 'go.sum']) pins.update(readFileSync(join(folder, file)));
  const cache = process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache');
  const binary = windows ? `${name}.exe` : name;
  return join(cache, 'countersign', `${name}-${pins.digest('hex').slice(0, 16)}`, binary);
}

/** Numbers of a version: `1.26.8` of `go version go1.26.8 linux/amd64`. */
const versionIn = (text) => /\d+(\.\d+)+/.exec(text)?.[0].split('.').map(Number) ?? [];

/** The Go on the PATH, as far as it can build the program; or why it cannot. */
function findGo({ name, folder, shown }) {
  const needed = versionIn(/^go .*$/m.exec(readFileSync(join(folder, 'go.mod'), 'utf8'))?.[0] ?? '');
  const answer = spawnSync('go', ['version'], { encoding: 'utf8', env: { ...process.env, GOTOOLCHAIN: 'local' } });
  if (answer.status !== 0) return { usable: false, lack: `there is no Go ${needed.join('.')} to build ${name} with` };
  const found = versionIn(answer.stdout);
  const differs = needed.findIndex((number, index) => number !== (found[index] ?? 0));
  if (differs === -1 || (found[differs] ?? 0) > needed[differs]) return { usable: true };
  return { usable: false, lack: `Go ${found.join('.')} cannot build ${name}: ${shown} needs ${needed.join('.')}` };
}

/**
 * The path of a program, or null with its lack.
 *
 * @param program its name, its package, and the folder of its go.mod with the path to show. Also the time of a first build.
 */
export function findGoProgram(program, { build }) {
  const { name, module, folder, shown, takes } = program;
  const binary = cachedBinary(program);
  if (existsSync(binary)) return { path: binary };
  const go = build ? findGo(program) : { usable: false, lack: `${name} has not been built from ${shown}` };
  if (!go.usable) return { path: null, lack: go.lack };
  process.stderr.write(`Building ${name} from ${shown}, once (${takes})...\n`);
  mkdirSync(dirname(binary), { recursive: true });
  const unfinished = `${binary}.${process.pid}`;
  const built = spawnSync('go', ['build', '-o', unfinished, module], {
    cwd: folder,
    env: { ...process.env, GOTOOLCHAIN: 'local', GOFLAGS: '-mod=readonly' },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (built.status !== 0) return { path: null, failed: true, lack: `${name} could not be built from ${shown}` };
  renameSync(unfinished, binary);
  return { path: binary };
}
