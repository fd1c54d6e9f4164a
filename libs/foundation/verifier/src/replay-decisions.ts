import type { LoadedPolicy } from '@open-policy-agent/opa-wasm';
import * as opaWasm from '@open-policy-agent/opa-wasm';
import { canonicalJson, isJsonList, isJsonObject, type Json, type JsonObject, parseStrictJson } from '#lib/canonical';
import { hasOwnMemory } from './wasm-sections.js';

// Its types name exports that its ES module has in the default export only; required as CommonJS it has both.
const { loadPolicySync } = (opaWasm as unknown as { readonly default: Pick<typeof opaWasm, 'loadPolicySync'> }).default;

/** Larger modules are not compiled. Ours has a quarter of a megabyte. */
const MAX_MODULE_BYTES = 4 * 1024 * 1024;
/** In characters; the server evaluates no input of more than 256 KiB. */
const MAX_INPUT_LENGTH = 512 * 1024;
/** In pages of 64 KiB; the server gives an evaluation the same. */
const MEMORY_LIMIT_PAGES = 1024;

/** Decisions to take again. Plain data, so that it can be sent to a thread. */
export interface ReplayJob {
  readonly modules: readonly Uint8Array[];
  readonly decisions: readonly ReplayedDecision[];
}

/** A decision as it was recorded. */
export interface ReplayedDecision {
  /** Which of the modules took it. */
  readonly module: number;
  /** The entrypoint's path, `countersign/plan/decision`. */
  readonly path: string;
  readonly input: Json;
  readonly result: Json;
  /** The input is masked, so messages and places may differ; the rest may not. */
  readonly masked: boolean;
}

/** Whether each decision of the job came out as it was recorded, in the job's order; null if the time was up. */
export type Replay = (job: ReplayJob) => Promise<readonly boolean[] | null>;

/**
 * Takes decisions again, and says of each whether it came out the same. A decision that cannot be evaluated did not.
 *
 * The modules are programs, and their author made the pack. They get no imports but opa-wasm's, and one memory with a
 * limit. Each decision has an instance, so none depends on another. Nothing here can stop one that never ends. Call
 * this in a thread or a Web Worker, and terminate that after a time limit.
 */
export function replayDecisions({ modules, decisions }: ReplayJob): boolean[] {
  const compiled = modules.map(compile);
  return decisions.map((decision) => {
    const module = compiled[decision.module];
    return module !== undefined && module !== null && isSame(decision, evaluate(module, decision));
  });
}

function compile(bytes: Uint8Array): WebAssembly.Module | null {
  if (bytes.length > MAX_MODULE_BYTES || hasOwnMemory(bytes)) return null;
  try {
    return new WebAssembly.Module(Uint8Array.from(bytes));
  } catch {
    return null;
  }
}

function evaluate(module: WebAssembly.Module, { path, input }: ReplayedDecision): Json | null {
  try {
    const text = canonicalJson(input);
    if (text.length > MAX_INPUT_LENGTH) return null;
    const policy: LoadedPolicy = loadPolicySync(module, { initial: 16, maximum: MEMORY_LIMIT_PAGES });
    const resultSet: unknown = policy.evaluate(new TextEncoder().encode(text).buffer, path);
    // Through text, so that only plain JSON is left of the answer.
    const [first, ...more] = listOf(parseStrictJson(JSON.stringify(resultSet)));
    return first !== undefined && more.length === 0 ? (objectOf(first).result ?? null) : null;
  } catch {
    // opa-wasm throws strings and plain objects too, and a module may trap.
    return null;
  }
}

function isSame({ result, masked }: ReplayedDecision, again: Json | null): boolean {
  try {
    return again !== null && comparable(again, masked) === comparable(result, masked);
  } catch {
    return false;
  }
}

/** A decision without the order of its reasons and slots, which says nothing. @throws for anything that is no decision. */
function comparable(decision: Json, masked: boolean): string {
  const { outcome, reasons, obligations, effective, ...more } = objectOf(decision);
  const { approvals, ...other } = objectOf(obligations);
  return canonicalJson({
    outcome: outcome ?? null,
    reasons: sorted(masked ? listOf(reasons).map((reason) => objectOf(reason).code ?? null) : reasons),
    obligations: { ...other, approvals: sorted(approvals) },
    effective: effective ?? null,
    ...more,
  });
}

const sorted = (list: Json | undefined): string[] => listOf(list).map(canonicalJson).sort();

function objectOf(value: Json | undefined): JsonObject {
  if (!isJsonObject(value)) throw new TypeError('A policy answered with another value than an object.');
  return value;
}

function listOf(value: Json | undefined): readonly Json[] {
  if (!isJsonList(value)) throw new TypeError('A policy answered with another value than a list.');
  return value;
}
