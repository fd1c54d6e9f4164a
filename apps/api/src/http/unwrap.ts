import { FailureError, type Result } from '#lib/kernel';

/** The value of a use case's result, or its failure thrown for the problem filter to answer. */
export function unwrap<T>(result: Result<T>): T {
  if (result.ok) return result.value;
  throw new FailureError(result.error);
}
