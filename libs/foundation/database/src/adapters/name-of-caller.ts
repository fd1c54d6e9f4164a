/** Finds the method in a line of a stack trace: `SubmitPlan.execute`. */
const METHOD = /^\s+at (?:async )?([A-Z]\w+\.#?\w+) /;

const OWN_METHOD = 'TypeormUnitOfWork.run';
const MAX_FRAMES = 6;

/** The use case that opened the transaction, from the stack; called only if there is a trace. */
export function nameOfCaller(): string {
  const stack = { stack: '' };
  Error.captureStackTrace(stack, nameOfCaller);
  // The stack names a private method without its class, and its caller with its class.
  const method = stack.stack
    .split('\n', MAX_FRAMES)
    .flatMap((line) => METHOD.exec(line)?.[1] ?? [])
    .find((name) => name !== OWN_METHOD);
  return method === undefined ? 'transaction' : `transaction ${method}`;
}
