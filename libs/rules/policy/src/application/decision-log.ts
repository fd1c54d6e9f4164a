import type { Json } from '#lib/canonical';
import type { Decision } from '#lib/formats';
import type { Entrypoint } from '#lib/policy-inputs';
import type { DecisionId, Digest, PageRequest, SubjectRef, Tx } from '#lib/kernel';
import type { PolicyBundle } from './policy-engine.js';

/** The subject of a decision, by which it is found again. */
export interface DecisionSubject {
  readonly subject: SubjectRef;
  /** The things that it was taken in, outermost first: task, plan and run of a step. */
  readonly within: readonly SubjectRef[];
}

/** A stored decision. `input` is masked; `inputDigest` is over the evaluated input. */
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
  readonly about: DecisionSubject;
}

/** Stores decisions and their bundles, insert-only. */
export interface DecisionLog {
  /** Stores the bundle, too, with its first recorded decision. */
  record(tx: Tx, decision: LoggedDecision, bundle: PolicyBundle): Promise<void>;
  find(tx: Tx, id: DecisionId): Promise<LoggedDecision | null>;
  /** Newest first: those that were taken within each of these things. */
  list(tx: Tx, within: readonly SubjectRef[], page: PageRequest): Promise<readonly LoggedDecision[]>;
  findBundle(tx: Tx, revision: string): Promise<PolicyBundle | null>;
  /** Locks the bundle in force until the transaction ends. Take it before any other lock. @returns its revision. */
  lockBundleHead(tx: Tx, bundle: PolicyBundle): Promise<string>;
}
