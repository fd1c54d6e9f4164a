import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

/** Names one process for good: a process id alone is used again. */
export interface ProcessIdentity {
  readonly pid: number;
  /** The time of its start, in the system's own units; compared, never computed with. */
  readonly started: string;
}

interface ProcessStatus {
  readonly command: string;
  readonly started: string;
  readonly zombie: boolean;
}

/** The system's record of a process, or undefined if there is none. A zombie is none: it may never be reaped. */
async function processStatus(pid: number): Promise<ProcessStatus | undefined> {
  const found = process.platform === 'linux' ? await fromProc(pid) : await fromPs(pid);
  return found === undefined || found.zombie ? undefined : found;
}

async function fromProc(pid: number): Promise<ProcessStatus | undefined> {
  const line = await readFile(`/proc/${String(pid)}/stat`, 'utf8').catch(() => undefined);
  if (line === undefined) return undefined;
  // proc(5): the command stands in parentheses and may hold any character; field 3 is the state, 22 the start time.
  const end = line.lastIndexOf(')');
  const fields = line.slice(end + 2).split(' ');
  return { command: line.slice(line.indexOf('(') + 1, end), started: fields[19] ?? '', zombie: fields[0] === 'Z' };
}

async function fromPs(pid: number): Promise<ProcessStatus | undefined> {
  const answer = await promisify(execFile)('ps', ['-o', 'state=,lstart=,comm=', '-p', String(pid)]).catch(
    () => undefined,
  );
  const parts = /^(\S+)\s+(.{24})\s+(.*)$/m.exec(answer?.stdout.trim() ?? '');
  if (parts === null) return undefined;
  const [, state = '', started = '', command = ''] = parts;
  return { command, started, zombie: state.startsWith('Z') };
}

export async function identityOf(pid: number): Promise<ProcessIdentity | undefined> {
  const status = await processStatus(pid);
  return status === undefined ? undefined : { pid, started: status.started };
}

export async function isAlive(identity: ProcessIdentity): Promise<boolean> {
  return (await identityOf(identity.pid))?.started === identity.started;
}

/** Whether `pid` is a PostgreSQL server, and not a stranger that got its number. */
export async function isPostgres(pid: number): Promise<boolean> {
  return (await processStatus(pid))?.command.split('/').at(-1)?.startsWith('postgres') ?? false;
}
