import type { JsonObject } from '#lib/canonical';
import type { ToolCallResponse, ToolDocument } from '#lib/formats';

/** Text that a tool writes while it runs, in the order of its writing. */
export interface OutputChunk {
  readonly stream: 'stdout' | 'stderr';
  readonly text: string;
}

/** The caps of one call. A tool beyond a cap refuses, or says in its result that it left something out. */
export interface ToolLimits {
  /** Most bytes of one file that a tool reads or writes. */
  readonly fileBytes: number;
  /** Most bytes of text in a result, and of the output of a program. */
  readonly outputBytes: number;
  /** Most files and folders that one call looks at. */
  readonly entries: number;
  /** Most bytes of a snapshot. A larger change has no way back. */
  readonly snapshotBytes: number;
}

export const DEFAULT_LIMITS: ToolLimits = {
  fileBytes: 5_000_000,
  outputBytes: 256_000,
  entries: 20_000,
  snapshotBytes: 200_000_000,
};

/** The context of one call. */
export interface ToolContext {
  /** The absolute path of the folder that the tools are confined to. */
  readonly root: string;
  /** Aborts as soon as the caller no longer waits. A tool adds its own time limit. */
  readonly signal: AbortSignal;
  readonly output: (chunk: OutputChunk) => void;
  readonly limits: ToolLimits;
  /** Values that are masked wherever they appear in results and output. */
  readonly secretsToMask: readonly string[];
}

/** The answer of a tool: the same shape that an `http` executor answers, with an object as its result. */
export type ToolOutcome =
  | { readonly ok: true; readonly result: JsonObject }
  | Readonly<Extract<ToolCallResponse, { readonly ok: false }>>;

/** A tool of the runner. A tenant's registry accepts its `document`, and alone decides on its risk. */
export interface RunnerTool {
  readonly name: string;
  readonly document: ToolDocument;
  readonly call: (context: ToolContext, callArguments: unknown) => Promise<ToolOutcome>;
}
