import type { LoadedPolicy } from '@open-policy-agent/opa-wasm';
import { decisionSchema } from '#lib/formats';
import {
  autonomyFactsSchema,
  type Entrypoint,
  MAX_POLICY_INPUT_BYTES,
  POLICY_INPUTS,
  type PolicyInput,
} from '#lib/policy-inputs';
import type { Evaluation, PolicyBundle, PolicyEngine } from '../application/policy-engine.js';
import { narrowAutonomy } from '../domain/narrow-autonomy.js';
import { noDecision } from '../domain/no-decision.js';
import { hasInputShape } from './input-shape.js';
import { loadWasmPolicy } from './load-wasm-policy.js';

/** In pages of 64 KiB: no evaluation gets more than 64 MiB; one that asks for more traps. */
const MEMORY_LIMIT_PAGES = 1024;
/** Wasm memory never shrinks: an instance that had to grow beyond this is replaced (T24). */
const KEEP_BYTES = 8 * 1024 * 1024;
/**
 * The schema parses the first inputs of each entrypoint. Its check then compiles for as long as 300 parses take. A
 * process that has just started, or decides now and then, would only wait for it.
 */
const PARSED_INPUTS = 100;
/** A lone surrogate as `JSON.stringify` escapes it. Engines disagree on its meaning. */
const LONE_SURROGATE = /(?<!\\)(?:\\\\)*\\ud[89a-f][0-9a-f]{2}/;
const encoder = new TextEncoder();
const autonomySchema = autonomyFactsSchema.nullable();

/**
 * Evaluates the compiled bundle with opa-wasm. The module is compiled once. One instance serves all calls, since an
 * evaluation is synchronous and leaves nothing behind. A failed or grown instance is replaced.
 */
export class OpaWasmPolicyEngine implements PolicyEngine {
  readonly #module: WebAssembly.Module;
  #instance: LoadedPolicy | null = null;
  readonly #parsed = new Map<Entrypoint, number>();

  constructor(readonly bundle: PolicyBundle) {
    this.#module = new WebAssembly.Module(Uint8Array.from(bundle.wasm));
  }

  evaluate<E extends Entrypoint>(entrypoint: E, input: PolicyInput<E>): Evaluation {
    const { facts, wrong } = factsOf(entrypoint, input, this.#isOftenAsked(entrypoint));
    const inputText = textWithinLimit(facts);
    if (wrong !== null) return { decision: noDecision('policy.invalid_input', wrong), inputText: inputText ?? 'null' };
    if (inputText === null) return { decision: noDecision('policy.input_too_large'), inputText: 'null' };
    if (LONE_SURROGATE.test(inputText)) {
      return { decision: noDecision('policy.invalid_input', 'a lone surrogate'), inputText: 'null' };
    }
    return { decision: this.#decide(entrypoint, inputText), inputText };
  }

  /** The memory that the engine holds for evaluating, in bytes. */
  get memoryBytes(): number {
    return this.#instance?.mem.buffer.byteLength ?? 0;
  }

  #isOftenAsked(entrypoint: Entrypoint): boolean {
    const parsed = this.#parsed.get(entrypoint) ?? 0;
    if (parsed === PARSED_INPUTS) return true;
    this.#parsed.set(entrypoint, parsed + 1);
    return false;
  }

  #decide(entrypoint: Entrypoint, inputText: string): Evaluation['decision'] {
    let result: unknown;
    try {
      this.#instance ??= loadWasmPolicy(this.#module, MEMORY_LIMIT_PAGES);
      result = this.#instance.evaluate(encoder.encode(inputText).buffer, this.bundle.entrypoints[entrypoint]);
    } catch {
      // opa-wasm throws strings and plain objects too. A new instance keeps the state after a trap from later calls.
      this.#instance = null;
      return noDecision('policy.evaluation_failed');
    }
    if (this.memoryBytes > KEEP_BYTES) this.#instance = null;
    return decisionIn(result);
  }
}

/** The decision of a result set, if it has exactly the agreed shape; else a deny (T23). */
export function decisionIn(resultSet: unknown): Evaluation['decision'] {
  if (!Array.isArray(resultSet) || resultSet.length !== 1) return noDecision('policy.no_decision');
  const only: unknown = resultSet[0];
  if (typeof only !== 'object' || only === null || !('result' in only)) return noDecision('policy.no_decision');
  const decision = decisionSchema.safeParse(only.result);
  return decision.success ? decision.data : noDecision('policy.malformed_decision');
}

/** The input to evaluate, or the deny of an input with another shape. */
function factsOf<E extends Entrypoint>(
  entrypoint: E,
  input: PolicyInput<E>,
  compiled: boolean,
): { facts: unknown; wrong: string | null } {
  try {
    const narrowed = narrowAutonomy(input);
    // Only the autonomy document may have members to drop.
    const autonomy = autonomySchema.safeParse(narrowed.autonomy);
    const complete = { ...narrowed, autonomy: autonomy.data };
    if (compiled && autonomy.success && hasInputShape[entrypoint](complete)) return { facts: complete, wrong: null };
    const parsed = POLICY_INPUTS[entrypoint].safeParse(narrowed);
    if (parsed.success) return { facts: parsed.data, wrong: null };
    return { facts: input, wrong: `/${parsed.error.issues[0]?.path.map(String).join('/') ?? ''}` };
  } catch {
    // The input does not even have the outline of its type.
    return { facts: input, wrong: '/' };
  }
}

function textWithinLimit(value: unknown): string | null {
  try {
    // `JSON.stringify` may return undefined, which its types leave out.
    const text = JSON.stringify(value) as string | undefined;
    return text !== undefined && Buffer.byteLength(text) <= MAX_POLICY_INPUT_BYTES ? text : null;
  } catch {
    // Nesting too deep to be written down, or a cycle.
    return null;
  }
}
