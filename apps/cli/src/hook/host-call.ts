import type { HookRefusal } from './hook-refusal.js';

/** A tool call as a coding agent's host describes it to its hook. */
export interface HostCall {
  /** The host's own name of its session that the call belongs to. */
  readonly hostSession: string;
  /** The host's own name of the call; null if it gives none. */
  readonly id: string | null;
  /** One answer of the model, which may hold several calls; null if the host names none. */
  readonly turn: string | null;
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** The absolute path of the folder in which the agent works. */
  readonly directory: string;
  /** The input cannot be judged. */
  readonly refusal?: HookRefusal;
}
