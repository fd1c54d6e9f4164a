/** The caps of one line. Output beyond its cap is cut off; any other cap ends the line. */
export interface ShellLimits {
  /** Bytes of each output stream that are streamed and answered. */
  readonly outputBytes: number;
  readonly timeMs: number;
  /** Milliseconds between the polite signal to a program and the final one. */
  readonly graceMs: number;
  /** Bytes of the output of one command substitution. */
  readonly substitutionBytes: number;
  /** Names of files that the patterns of a line look at. */
  readonly entries: number;
  /** Bytes of the arguments of one program. */
  readonly argumentBytes: number;
}

export const DEFAULT_SHELL_LIMITS: ShellLimits = {
  outputBytes: 256_000,
  timeMs: 15_000,
  graceMs: 2_000,
  substitutionBytes: 128_000,
  entries: 20_000,
  argumentBytes: 1_000_000,
};
