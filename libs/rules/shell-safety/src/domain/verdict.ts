import type { SHELL_CLASSES, ShellName } from '#lib/formats';
import type { ShellFacts } from '#lib/policy-inputs';

/** The shell that a command line is meant for. `unknown` if the caller does not say; it is judged as all of them at once. */
export type Shell = ShellName;

/** ADR-007: 1 executes by itself, 2 asks a person, 3 is always denied. */
export type Tier = ShellFacts['tier'];

/** The risk class of an interactive session. `UNKNOWN` is judged as high. */
export type ShellClass = (typeof SHELL_CLASSES)[number];

/** How the curated allow-list of a terminal judges the line: one program, no operator. */
export type AllowListing = 'allowed' | 'after_approval' | 'blocked';

/** The reason for the tier of a part. `code` is stable (`shell.writes_file`); `message` is one sentence for a person. */
export interface Reason {
  readonly code: string;
  readonly message: string;
  /** UTF-16 offsets into the command line, half open. */
  readonly start: number;
  readonly end: number;
}

/** One command of the line, or one construct that is judged by itself (a redirection, an assignment, arithmetic). */
export interface Part {
  readonly start: number;
  readonly end: number;
  /** The program as the line names it; null if the part is no command, or its name is not literal. */
  readonly program: string | null;
  readonly tier: Tier;
  readonly class: ShellClass;
  readonly reasons: readonly Reason[];
}

/** The verdict on a command line. The line's tier and class are the worst of its parts. */
export interface ShellVerdict {
  readonly shell: Shell;
  readonly tier: Tier;
  readonly class: ShellClass;
  readonly allowListed: AllowListing;
  /** In order of `start`. Never empty: a line that cannot be read is one part, of Tier 3. */
  readonly parts: readonly Part[];
  /** True if a command of the line may need a network. */
  readonly network: boolean;
}
