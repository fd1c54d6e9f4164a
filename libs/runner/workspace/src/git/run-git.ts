import { ToolRefusal } from '../domain/tool-refusal.js';
import { runProgram } from '../programs/run-program.js';

/**
 * Settings that win over the repository's own. Without them, a repository could make git execute a program, reach a
 * network or read a file elsewhere.
 */
const SETTINGS = [
  ...['core.fsmonitor=false', 'core.hooksPath=/dev/null', 'core.untrackedCache=false', 'core.splitIndex=false'],
  ...['core.pager=cat', 'core.editor=false', 'core.askPass=false', 'core.sshCommand=false', 'core.gitProxy=false'],
  ...[
    'core.attributesFile=/dev/null',
    'core.excludesFile=/dev/null',
    'core.alternateRefsCommand=false',
    'core.quotePath=false',
  ],
  ...[
    'diff.external=',
    'diff.orderFile=/dev/null',
    'interactive.diffFilter=',
    'diff.noprefix=false',
    'diff.mnemonicPrefix=false',
  ],
  ...[
    'commit.gpgSign=false',
    'tag.gpgSign=false',
    'log.showSignature=false',
    'gpg.program=false',
    'gpg.ssh.program=false',
  ],
  ...['credential.helper=', 'protocol.allow=never', 'safe.bareRepository=explicit', 'submodule.recurse=false'],
  ...[
    'gc.auto=0',
    'maintenance.auto=false',
    'color.ui=false',
    'log.mailmap=false',
    'log.showRoot=true',
    'notes.displayRef=',
  ],
];

const ENVIRONMENT = {
  LANG: 'C.UTF-8',
  HOME: '/nonexistent',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_SYSTEM: '/dev/null',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_ATTR_NOSYSTEM: '1',
  GIT_LITERAL_PATHSPECS: '1',
  GIT_TERMINAL_PROMPT: '0',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_NO_LAZY_FETCH: '1',
  GIT_NO_REPLACE_OBJECTS: '1',
  // No protocol has this name.
  GIT_ALLOW_PROTOCOL: 'none',
  GIT_PAGER: 'cat',
  GIT_EDITOR: 'false',
};

/** The settings of a git process: the repository's own folder as an open descriptor, and the environment of one call. */
export interface GitSettings {
  readonly cwd: string;
  readonly searchPath: string;
  readonly signal: AbortSignal;
  readonly env: Readonly<Record<string, string>>;
}

export interface GitOrder {
  readonly input?: Uint8Array | string;
  readonly env?: Readonly<Record<string, string>>;
  /** Exit codes besides 0 that are an answer. */
  readonly answers?: readonly number[];
  readonly outputBytes?: number;
}

export interface GitAnswer {
  readonly exitCode: number;
  readonly text: string;
  readonly truncated: boolean;
}

const MAX_OUTPUT = 50_000_000;

/** Executes git without a shell, under settings that keep the repository from executing anything. @throws {ToolRefusal} `workspace.git_failed` */
export async function runGit(settings: GitSettings, args: readonly string[], order: GitOrder = {}): Promise<GitAnswer> {
  const { exitCode, stdout, stderr, truncated } = await runProgram({
    program: 'git',
    args: [...SETTINGS.flatMap((setting) => ['-c', setting]), '--no-pager', ...args],
    cwd: settings.cwd,
    env: { ...ENVIRONMENT, PATH: settings.searchPath, ...settings.env, ...order.env },
    signal: settings.signal,
    outputBytes: order.outputBytes ?? MAX_OUTPUT,
    ...(order.input === undefined ? {} : { input: order.input }),
  });
  if (exitCode === null || (exitCode !== 0 && order.answers?.includes(exitCode) !== true)) {
    const reason = stderr.toString('utf8').trim().slice(0, 500);
    throw new ToolRefusal('workspace.git_failed', `git ${args[0] ?? ''} failed: ${reason}`);
  }
  return { exitCode, text: stdout.toString('utf8'), truncated };
}

/** The texts between NULs. */
export const fieldsOf = (text: string): string[] => text.split('\0').filter((field) => field !== '');
