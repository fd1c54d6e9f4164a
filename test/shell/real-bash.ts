import { spawn, type ChildProcess } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';

/** One script, as bash took it. */
export interface Attempt {
  /** False if bash refuses to parse the script. */
  valid: boolean;
  /** The programs that bash looked for. */
  readonly names: Set<string>;
}

/** A script that takes longer is stopped; the names that it tried until then count. */
const SCRIPT_LIMIT_MS = 1_000;
const PROGRAM = readFileSync('test/shell/real-bash.sh', 'utf8');

/**
 * Has bash try scripts where it finds no program. It is unprivileged, without a network, and in an empty folder that it cannot
 * write. Its PID namespace ends with it.
 *
 * @throws Error if the machine lacks bash, or refuses namespaces
 */
export async function tryByBash(scripts: readonly string[]): Promise<readonly Attempt[]> {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-empty-'));
  chmodSync(folder, 0o555);
  try {
    const attempts: Attempt[] = [];
    while (attempts.length < scripts.length)
      attempts.push(...(await tryUntilStopped(scripts.slice(attempts.length), folder)));
    return attempts;
  } finally {
    rmdirSync(folder);
  }
}

/** Tries scripts until the end, or until one of them takes too long. */
async function tryUntilStopped(scripts: readonly string[], folder: string): Promise<readonly Attempt[]> {
  const bash = startBash(folder);
  const attempts: Attempt[] = [];
  // A child that changes its account is no longer told of its parent's end. So the group is killed with all of it.
  const stop = (): void => {
    if (bash.pid !== undefined && bash.exitCode === null) process.kill(-bash.pid, 'SIGKILL');
  };
  let limit = setTimeout(stop, SCRIPT_LIMIT_MS);
  let complaint = '';
  bash.stderr?.on('data', (chunk: Buffer) => {
    if (attempts.length === 0) complaint += chunk.toString();
  });
  const [, , , input, report] = bash.stdio as unknown as [null, null, null, Writable, Readable];
  // A process that is stopped no longer reads.
  input.on('error', () => undefined);
  input.end(scripts.map((script) => `${script}\0`).join(''));
  let rest = '';
  report.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\0');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const [, kind, index, name] = /^(\w+) (\d+) ?([\s\S]*)$/.exec(line) ?? [];
      if (kind === 'start') {
        attempts.push({ valid: true, names: new Set() });
        clearTimeout(limit);
        limit = setTimeout(stop, SCRIPT_LIMIT_MS);
        continue;
      }
      const attempt = attempts[Number(index)];
      if (kind === 'invalid' && attempt !== undefined) attempt.valid = false;
      if (kind === 'name') attempt?.names.add(name ?? '');
    }
  });
  await new Promise<void>((resolve, reject) => {
    bash.once('error', reject);
    bash.once('close', () => {
      resolve();
    });
  });
  clearTimeout(limit);
  if (attempts.length === 0) throw new Error(refusal(complaint));
  return attempts;
}

const UNPRIVILEGED = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups', '--no-new-privs', '--'];

function startBash(folder: string): ChildProcess {
  const root = process.getuid?.() === 0;
  const words = ['--pid', '--net', '--fork', '--kill-child', ...(root ? ['--', ...UNPRIVILEGED] : ['--user', '--'])];
  return spawn('unshare', [...words, 'bash', '--norc', '--noprofile', '-c', PROGRAM], {
    cwd: folder,
    env: { PATH: process.env.PATH, LC_ALL: 'C.UTF-8' },
    stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
    detached: true,
  });
}

const refusal = (complaint: string): string =>
  `bash could not be started in namespaces of its own: ${complaint.trim()}. The test needs bash and unshare (of util-linux), as root ` +
  'or with unprivileged user namespaces: sysctl -w kernel.unprivileged_userns_clone=1 kernel.apparmor_restrict_unprivileged_userns=0. ' +
  'In a container, run it as root with --cap-add SYS_ADMIN.';
