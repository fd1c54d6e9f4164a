/** Ends the execution of a line: nothing further starts, and running programs are ended. Never leaves the library. */
export class Stop extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

/** A failure of one command, which bash would report too: the command has this status, and the line goes on. */
export class CommandFailure extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}
