import type { Failure } from './failure.js';

/** The outcome of a decision that can be refused: a value, or the {@link Failure} that says why not. */
export type Result<T, E = Failure> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: E };

/** The result of a decision that was not refused. */
export const ok = <T>(value: T): { readonly ok: true; readonly value: T } => ({ ok: true, value });

/** The result of a refused decision, with the reason. */
export const err = <E>(error: E): { readonly ok: false; readonly error: E } => ({ ok: false, error });
