/** The characters of a person's reason for a change that may wait for a second person. White space around it is not counted. */
export const MIN_REASON = 10;
export const MAX_REASON = 1_000;

export const REASON_LENGTH = `${String(MIN_REASON)} to ${MAX_REASON.toLocaleString('en')} characters`;

/** Whether a text without white space around it is as long as a reason may be. */
export const isReasonLength = ({ length }: string): boolean => length >= MIN_REASON && length <= MAX_REASON;
