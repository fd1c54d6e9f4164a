/** The exit codes of the process; documented in `countersign --help`. */
export const EXIT = {
  ok: 0,
  /** Countersign refused: policy, permission, a wrong state, a wrong document. */
  refused: 1,
  /** The command line itself is wrong, or a file that it names. */
  usage: 2,
  /** An evidence pack does not verify. */
  unverified: 3,
  /** Countersign, or its database, cannot be reached or does not start. */
  unavailable: 4,
  /** The watched object ended badly: a run that failed or was rolled back, an approval that was refused. */
  endedBadly: 5,
  /** Nothing in an evidence pack is wrong, but payloads were not there when it was assembled: not all was checked. */
  incomplete: 6,
  /** An evidence pack verifies, and not every approval in it was signed with a key of --approver-keys. */
  notSigned: 7,
  /** The change that you asked about would let something pass that was held back. */
  looser: 8,
  /** Nothing looser was found. It is not known for decisions that could not be put again or are not in the database. */
  notKnown: 9,
  /** Standard output was closed early, as `| head -1` does: 128 + SIGPIPE, as if the signal had ended the process. */
  closedPipe: 141,
} as const;

/** Ends the command with a message and an exit code. */
export class CommandError extends Error {
  constructor(
    readonly exitCode: number,
    message: string,
    /** The action to take now. */
    readonly action: string,
    /** Further lines: the errors, one by one. */
    readonly details: readonly string[],
    /** Stable, for programs. */
    readonly code: string,
  ) {
    super(message);
    this.name = 'CommandError';
  }
}

/** Ends the command with an exit code when its result has said everything. */
export class Ended extends Error {
  constructor(readonly exitCode: number) {
    super('');
    this.name = 'Ended';
  }
}
