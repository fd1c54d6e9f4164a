import type { Shell } from '#lib/shell-safety';
import type { OutputChunk, ProgramGroups, Sandbox } from '#lib/workspace';
import type { ShellLimits } from './limits.js';

/** A line as it was dispatched. `tree` is the JSON of the tree that was approved. */
export interface ShellCall {
  readonly command: string;
  readonly shell: Shell;
  readonly tree: unknown;
}

/** The bounds that the verified grant of the call sets. */
export interface ShellAuthority {
  readonly treeDigest: string;
  /** The highest tier that was allowed. Tier 3 never is. */
  readonly tier: 1 | 2;
  readonly commandSubstitution: boolean;
  /** True if git may execute programs that a repository names. A person approved the line, or it was allowed as Tier 2. */
  readonly repositoryPrograms: boolean;
  /**
   * True if the line was allowed as a read that nobody approved. A sandbox holds it to that: programs see the workspace read-only, and no
   * file that may hold secrets.
   */
  readonly onlyReads: boolean;
}

/** The context of one call. */
export interface ShellContext {
  readonly authority: ShellAuthority;
  /** The absolute path of the workspace. */
  readonly root: string;
  /** Aborts as soon as the caller no longer waits. */
  readonly signal: AbortSignal;
  /** Takes masked text while the line runs. */
  readonly output: (chunk: OutputChunk) => void;
  readonly limits: ShellLimits;
  /** Values that are masked wherever they appear in output. */
  readonly secretsToMask: readonly string[];
}

/** The choices of the operator of a runner. */
export interface ShellSettings {
  /** Absolute paths of the folders in which programs are looked for, in order. None lies in a workspace. */
  readonly programFolders: readonly string[];
  /** Variables that programs get besides, KUBECONFIG for example. */
  readonly environment: Readonly<Record<string, string>>;
  readonly sandbox: Sandbox;
  /** Notes the process groups of programs while a line runs. */
  readonly groups?: ProgramGroups;
}
