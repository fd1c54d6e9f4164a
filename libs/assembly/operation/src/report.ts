import { FailureError } from '#lib/kernel';

/** Tells the operator of an error on standard error. A failure has its code and action there, any other error its stack. */
export function report(error: unknown): void {
  process.stderr.write(`${explained(error)}\n`);
}

function explained(error: unknown): string {
  if (error instanceof FailureError) {
    const { code, message, action } = error.failure;
    return `${message} (${code})${action === undefined ? '' : `\n  ${action}`}`;
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
