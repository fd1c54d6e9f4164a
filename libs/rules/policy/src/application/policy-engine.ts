import type { Decision } from '#lib/formats';
import type { Entrypoint, PolicyInput } from '#lib/policy-inputs';

/** The policies a process decides with. */
export interface PolicyBundle {
  /** SHA-256 of the sorted Rego sources, from which anybody can replay a decision. */
  readonly revision: string;
  /** SHA-256 of the compiled module. */
  readonly wasmDigest: string;
  /** The entrypoints by name, each with its path in the bundle. */
  readonly entrypoints: Readonly<Record<Entrypoint, string>>;
  /** Every Rego source by its path in the policies folder, tests left out. */
  readonly sources: Readonly<Record<string, string>>;
  readonly wasm: Uint8Array;
}

/** A decision, and its exact input as JSON; `null` if the input was too large. */
export interface Evaluation {
  readonly decision: Decision;
  readonly inputText: string;
}

/**
 * Takes decisions. It is synchronous, total, and without memory of earlier calls. Each internal error is a deny with a
 * `policy.*` code, so a caller cannot forget to catch it.
 */
export interface PolicyEngine {
  readonly bundle: PolicyBundle;
  evaluate<E extends Entrypoint>(entrypoint: E, input: PolicyInput<E>): Evaluation;
}
