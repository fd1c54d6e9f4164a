import type { TreeList } from '#lib/shell-safety';
import type { Sandbox, SandboxView } from '#lib/workspace';
import type { ConfinedFolders } from '../adapters/confined-folders.js';
import type { EntryBudget } from '../adapters/match-files.js';
import type { Pipes } from '../adapters/pipes.js';
import type { Processes } from '../adapters/processes.js';
import type { SecretFiles } from '../adapters/secret-files.js';
import type { ShellLimits } from '../domain/limits.js';

/** The context of one line, the same for all of its commands. */
export interface Line {
  /** Absolute, without a symbolic link. */
  readonly root: string;
  readonly folders: ConfinedFolders;
  readonly pipes: Pipes;
  readonly processes: Processes;
  readonly budget: EntryBudget;
  readonly limits: ShellLimits;
  readonly programFolders: readonly string[];
  /** Without PWD, which follows `cd`. */
  readonly environment: Readonly<Record<string, string>>;
  readonly sandbox: Exclude<Sandbox, { kind: 'missing' }>;
  readonly network: boolean;
  /** True if git may execute no program that a repository names. */
  readonly checksRepository: boolean;
  /** The folders of a program in the sandbox. */
  readonly view: Pick<SandboxView, 'writable' | 'visible'>;
  /** True if the line may read no file that may hold secrets. */
  readonly onlyReads: boolean;
  /** The files that no program in the sandbox may read, and those that git alone may. */
  readonly secrets: Pick<SecretFiles, 'paths' | 'ofGit'>;
  /** A descriptor of /dev/null, for descriptors that no program may inherit. */
  readonly nothing: number;
  readonly inherited: readonly number[];
  /** Aborts if the line is to end. */
  readonly signal: AbortSignal;
  /** Ends the line: nothing further starts. */
  readonly stop: (reason: unknown) => void;
  /** Notes that something may have changed from now on. */
  readonly began: () => void;
}

/** The state that a command leaves to the commands behind it. A stage of a pipeline, and a substitution, has a copy of its own. */
export interface ShellState {
  /** The names of the current folder below the root. */
  folder: readonly string[];
  /** The exit status of the pipeline before. */
  status: number;
}

/** The runner's descriptor for each of a command's. */
export type Descriptors = ReadonlyMap<number, number>;

/** Runs the list of a substitution. */
export type RunList = (list: TreeList, line: Line, state: ShellState, descriptors: Descriptors) => Promise<void>;

export const folderOf = (line: Line, { folder }: ShellState): string => [line.root, ...folder].join('/');
