import type { Json } from '#lib/canonical';
import type { Decision } from '#lib/formats';
import type { Entrypoint, PolicyInput } from '#lib/policy-inputs';
import { type DecisionId, digestOf, newId, type Tx } from '#lib/kernel';
import { inSpan, noteOn } from '#lib/tracing';
import { decisionDocument } from './decision-document.js';
import { maskInput } from '../domain/mask-input.js';
import { noteDecision } from './decision-evidence.js';
import type { DecisionLog, DecisionSubject, LoggedDecision } from './decision-log.js';
import type { PolicyEngine } from './policy-engine.js';

/** A decision that was recorded; the audit entry of the action names it by `id`. */
export interface RecordedDecision {
  readonly id: DecisionId;
  readonly decision: Decision;
  readonly bundleRevision: string;
  /** The `now` of the input, epoch milliseconds. */
  readonly decidedAt: number;
}

/** Counts decisions. Called for each recorded one before its transaction ends. */
export type DecisionListener = (entrypoint: Entrypoint, outcome: Decision['outcome']) => void;

/** The decision point of all use cases. Use {@link decide} for an enforced decision, {@link evaluate} for one that is only shown. */
export class PolicyDecisionPoint {
  #listener: DecisionListener = () => undefined;

  constructor(
    private readonly engine: PolicyEngine,
    private readonly log: DecisionLog,
  ) {}

  /**
   * Takes a decision and records it in the caller's transaction. Return a refusal (`err`) instead of throwing it, so that the
   * decision stays on record.
   */
  decide<E extends Entrypoint>(
    tx: Tx,
    entrypoint: E,
    input: PolicyInput<E>,
    about: DecisionSubject,
  ): Promise<RecordedDecision> {
    return inSpan('policy decision', 'part', { 'countersign.entrypoint': entrypoint }, () =>
      this.#decideAndRecord(tx, entrypoint, input, about),
    );
  }

  async #decideAndRecord<E extends Entrypoint>(
    tx: Tx,
    entrypoint: E,
    input: PolicyInput<E>,
    about: DecisionSubject,
  ): Promise<RecordedDecision> {
    const { decision, inputText } = this.engine.evaluate(entrypoint, input);
    noteOn({ 'countersign.outcome': decision.outcome });
    const id = newId<DecisionId>();
    // The engine spelled the text, so it is JSON.
    const evaluated = JSON.parse(inputText) as Json;
    const kept = maskInput(evaluated, inputText);
    const inputDigest = digestOf('policy-input', evaluated);
    const keptDigest = kept === evaluated ? inputDigest : digestOf('policy-input', kept);
    const logged: LoggedDecision = {
      id,
      entrypoint,
      bundleRevision: this.engine.bundle.revision,
      wasmDigest: this.engine.bundle.wasmDigest,
      input: kept,
      inputDigest,
      decision,
      decidedAt: input.now,
      about,
    };
    await this.log.record(tx, logged, this.engine.bundle);
    noteDecision(tx, id, digestOf('decision', decisionDocument(logged, keptDigest)));
    this.#listener(entrypoint, decision.outcome);
    return { id, decision, bundleRevision: this.engine.bundle.revision, decidedAt: input.now };
  }

  /** One listener a process. */
  onDecision(listener: DecisionListener): void {
    this.#listener = listener;
  }

  /** Takes a decision that is not enforced: a matrix, a preview. It is not recorded. */
  evaluate<E extends Entrypoint>(entrypoint: E, input: PolicyInput<E>): Decision {
    return this.engine.evaluate(entrypoint, input).decision;
  }

  /** The first lock of a use case that decides: no other bundle takes force until its transaction ends. */
  lockBundleHead(tx: Tx): Promise<string> {
    return this.log.lockBundleHead(tx, this.engine.bundle);
  }

  /** The revision of the policies this process decides with. */
  get bundleRevision(): string {
    return this.engine.bundle.revision;
  }
}
