import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Stop } from '../domain/stop.js';

/** The place from which git looks for a repository. */
export interface GitStart {
  /** The path of git. */
  readonly git: string;
  readonly folder: string;
  /** The values of its `-C`. */
  readonly moves: readonly string[];
  /** The environment of the call: git finds the same repository and the same files in it. */
  readonly environment: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/**
 * Settings of a repository that name programs, of those that no variable of the runner can turn off. Its variables win over the others,
 * such as `core.fsmonitor`.
 */
const NAME_PROGRAMS =
  '^(alias\\..*|filter\\..*\\.(clean|smudge|process)|diff\\.external|diff\\..*\\.(command|textconv)|merge\\..*\\.driver' +
  '|credential\\..*\\.helper|remote\\..*\\.(uploadpack|receivepack|vcs)|gpg\\..*\\.program|tar\\..*\\.command' +
  '|(man|browser)\\..*\\.(cmd|path))$';

/** The index of a very large repository. */
const MAX_OUTPUT_BYTES = 200_000_000;
const MAX_SUBMODULES = 500;

/**
 * The settings by which the repository, or a submodule that git looks into, makes git execute a program. Reads settings and the index
 * alone, which executes nothing.
 *
 * @throws Stop `shell.repository_unreadable`
 */
export async function repositoryPrograms(start: GitStart): Promise<readonly string[]> {
  const waiting = [start];
  // Grows while it is walked, by the submodules that are found.
  for (const next of waiting) {
    const settings = await settingsOf(next);
    if (settings.length > 0) return settings;
    waiting.push(...(await submodulesOf(next)));
    if (waiting.length > MAX_SUBMODULES) throw unreadable(`it has more than ${String(MAX_SUBMODULES)} submodules`);
  }
  return [];
}

/** Also those that the repository includes from other files. */
async function settingsOf(start: GitStart): Promise<readonly string[]> {
  // Without the variables, which would name programs of the runner's own choice.
  const environment = { ...start.environment, GIT_CONFIG_COUNT: '0' };
  const { status, text, said } = await run({ ...start, environment }, [
    ...['config', '-z', '--name-only', '--get-regexp', NAME_PROGRAMS],
  ]);
  if (status > 1) throw unreadable(said);
  return fieldsOf(text);
}

/** The submodules that are checked out; none without a working tree. */
async function submodulesOf(start: GitStart): Promise<readonly GitStart[]> {
  const top = await run(start, ['rev-parse', '--show-toplevel']);
  if (top.status !== 0) return [];
  const { status, text, said } = await run(start, ['ls-files', '-z', '--stage', '--full-name', '--', ':/']);
  if (status !== 0) throw unreadable(said);
  const links = fieldsOf(text).filter((entry) => entry.startsWith('160000 '));
  return links
    .map((entry) => join(top.text.replace(/\n$/, ''), entry.slice(entry.indexOf('\t') + 1)))
    .filter((folder) => existsSync(join(folder, '.git')))
    .map((folder) => ({ ...start, folder, moves: [] }));
}

const fieldsOf = (text: string): string[] => text.split('\0').filter((field) => field !== '');

async function run(
  { git, folder, moves, environment, signal }: GitStart,
  words: readonly string[],
): Promise<{ readonly status: number; readonly text: string; readonly said: string }> {
  try {
    const { stdout } = await promisify(execFile)(git, [...moves.flatMap((move) => ['-C', move]), ...words], {
      ...{ cwd: folder, env: environment, signal, maxBuffer: MAX_OUTPUT_BYTES, encoding: 'utf8' as const },
    });
    return { status: 0, text: stdout, said: '' };
  } catch (error) {
    signal.throwIfAborted();
    // The cast: execFile rejects with an error that has these members, or with one without them.
    const { code, stderr = '' } = error as { readonly code?: unknown; readonly stderr?: string };
    if (typeof code !== 'number') throw unreadable(String(error));
    return { status: code, text: '', said: stderr.trim() };
  }
}

const unreadable = (reason: string): Stop =>
  new Stop(
    'shell.repository_unreadable',
    `The runner cannot tell which programs the repository makes git execute: ${reason.slice(0, 300)}. Repair the repository, or ask a person to approve the line.`,
  );
