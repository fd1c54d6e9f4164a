import type { Json } from '#lib/canonical';
import { type DigestKind, digestOf, type PageRequest, type PlanId, type SubjectRef, type Tx } from '#lib/kernel';
import { decisionDocument } from './decision-document.js';
import type { DecisionLog, LoggedDecision } from './decision-log.js';
import type { PolicyBundle } from './policy-engine.js';

const PAGE = 200;

interface PolicyDocument {
  readonly kind: DigestKind;
  readonly id: string;
  readonly document: Json;
}

/**
 * The decisions in the evidence of a plan or a session. Each has its input, and each bundle is there as Rego sources
 * and as compiled module. So anybody can replay the decision.
 */
export class PolicyEvidence {
  readonly section = 'policy';

  constructor(private readonly log: DecisionLog) {}

  collect(tx: Tx, planId: PlanId): Promise<readonly PolicyDocument[]> {
    return this.within(tx, { type: 'plan', id: planId });
  }

  /** The same of the decisions that were taken within things, outermost first. */
  async within(tx: Tx, ...things: readonly SubjectRef[]): Promise<readonly PolicyDocument[]> {
    const decisions = await this.#decisions(tx, things);
    const documents = decisions.flatMap(decisionDocuments);
    for (const revision of new Set(decisions.map(({ bundleRevision }) => bundleRevision))) {
      const bundle = await this.log.findBundle(tx, revision);
      if (bundle !== null) documents.push(...bundleDocuments(bundle));
    }
    return documents;
  }

  async #decisions(tx: Tx, things: readonly SubjectRef[]): Promise<readonly LoggedDecision[]> {
    const decisions: LoggedDecision[] = [];
    for (let after: PageRequest['after'] = null; ;) {
      const page = await this.log.list(tx, things, { limit: PAGE, after });
      decisions.push(...page);
      const last = page.at(-1);
      if (last === undefined || page.length < PAGE) return decisions;
      after = { at: last.decidedAt, id: last.id };
    }
  }
}

const decisionDocuments = (decision: LoggedDecision): PolicyDocument[] => [
  { kind: 'decision', id: decision.id, document: decisionDocument(decision, digestOf('policy-input', decision.input)) },
  { kind: 'policy-input', id: decision.id, document: decision.input },
];

/** The sources of a revision. The revision is their digest, so they need no other proof. */
const bundleDocuments = ({ revision, sources, wasm, entrypoints }: PolicyBundle): PolicyDocument[] => [
  { kind: 'policy', id: revision, document: { ...sources } },
  {
    kind: 'policy-wasm',
    id: revision,
    document: { entrypoints: { ...entrypoints }, wasm_base64: Buffer.from(wasm).toString('base64') },
  },
];
