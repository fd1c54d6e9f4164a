/** The characters of a person's reason for a change that may wait for a second person. White space around it is not counted. */
export const SHORTEST_REASON = 10;
export const LONGEST_REASON = 1_000;

export const REASON_LENGTH = `${String(SHORTEST_REASON)} to ${LONGEST_REASON.toLocaleString('en')} characters`;

/** Whether a text without white space around it is as long as a reason may be. */
export const isReasonLength = ({ length }: string): boolean => length >= SHORTEST_REASON && length <= LONGEST_REASON;
