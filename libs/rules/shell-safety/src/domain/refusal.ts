/** Ends the reading of a line: it is Tier 3 because of this alone. Never leaves the library. */
export class Refusal extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly start: number,
    readonly end: number,
  ) {
    // Nobody reads the stack, which takes longer to collect than most verdicts.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(message);
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** The refusal of a line without a command. */
export const NO_COMMAND = { code: 'shell.empty', message: 'The line holds no command. Write one.' } as const;

/** The refusal of a line for which the stack is too small, or in which the parser has a fault. */
export const UNREADABLE = {
  code: 'shell.unreadable',
  message: 'The line cannot be read. Write it as several shorter lines, or put it into a file.',
} as const;

/** The refusal of a line that is no valid command from `start` on. */
export const unparsable = (message: string, start: number, end: number): Refusal =>
  new Refusal('shell.unparsable', `${message} Correct the line at this place.`, start, end);
