import type { Json } from '#lib/canonical';
import type { Decision, Entrypoint } from '#lib/contracts';
import type { DecisionId, Digest, PageRequest, SubjectRef, Tx } from '#lib/kernel';
import type { PolicyBundle } from './policy-engine.js';

/** What a decision is about, so that it is found again beside the thing it decided. */
export interface DecisionPlace {
  readonly subject: SubjectRef;
  /** The things it was taken in, outermost first: of a run its task, plan and run. */
  readonly within: readonly SubjectRef[];
}

/** A decision as it is kept. `input` is masked; `inputDigest` is of what was really evaluated. */
export interface LoggedDecision {
  readonly id: DecisionId;
  readonly entrypoint: Entrypoint;
  readonly bundleRevision: string;
  /** Of the compiled module that answered. */
  readonly wasmDigest: string;
  readonly input: Json;
  readonly inputDigest: Digest;
  readonly decision: Decision;
  /** The `now` of the input, epoch milliseconds. */
  readonly decidedAt: number;
  readonly about: DecisionPlace;
}

/** Where decisions and the bundles they were taken with are kept, insert-only. */
export interface DecisionLog {
  /** Also keeps the bundle, the first time that one of its decisions is recorded. */
  record(tx: Tx, decision: LoggedDecision, bundle: PolicyBundle): Promise<void>;
  find(tx: Tx, id: DecisionId): Promise<LoggedDecision | null>;
  /** Newest first: those that were taken within each of these things. */
  list(tx: Tx, within: readonly SubjectRef[], page: PageRequest): Promise<readonly LoggedDecision[]>;
  findBundle(tx: Tx, revision: string): Promise<PolicyBundle | null>;
  /** Holds the bundle in force as it is until the transaction ends; taken before any other lock. Its revision. */
  lockBundleHead(tx: Tx, bundle: PolicyBundle): Promise<string>;
}
