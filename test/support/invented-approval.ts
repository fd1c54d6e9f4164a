import { randomBytes } from 'node:crypto';
import type { Json, JsonObject } from '#lib/canonical';
import type { AuditLog, EvidenceDocument } from '#lib/audit';
import {
  digestOf,
  newId,
  type Actor,
  type AuditEvent,
  type EvidenceRef,
  type PersonId,
  type PlanId,
  type TaskId,
  type TenantId,
  type UnitOfWork,
  inPlan,
} from '#lib/kernel';
import { passkeyChallenge, type ApproverKey } from '#lib/verifier';
import type { Behaviour, SoftwareAuthenticator } from './virtual-authenticator.js';

/** A person with a passkey, outside of any server. */
export interface Approver {
  readonly actor: Actor;
  readonly key: ApproverKey;
  readonly passkey: SoftwareAuthenticator;
}

/** The content of an approval, and its invented parts; without any, all of it is true. */
export interface Invention {
  /** The people who are said to have approved. */
  readonly by: Approver;
  readonly verdict?: string;
  readonly comment?: string;
  readonly mfa?: JsonObject | null;
  /** The signed operation; by default that of the review. */
  readonly operation?: (operation: JsonObject) => JsonObject;
  readonly signs?: Approver;
  readonly behaviour?: Partial<Behaviour>;
  /** Over the document of the passkey's answer, before it is digested. */
  readonly document?: (document: JsonObject) => JsonObject;
  readonly payload?: JsonObject;
  /** Whether the answer stands in the log, twice, or not in the pack. */
  readonly answers?: 'once' | 'twice' | 'left out' | 'none';
  readonly enrolled?: false | ((document: JsonObject) => JsonObject);
  /** An earlier plan, request and answer: a truly signed one. */
  readonly replayed?: { readonly document: JsonObject };
}

const bot = (id: string): Actor => ({
  kind: 'agent',
  id,
  display_name: id,
  credential_id: 'c-agent',
  on_behalf_of: null,
});

/**
 * Writes the whole story of one approved plan with everything that the operator has. That is the log, its signing key and the
 * database. Every digest, proof and signature of the log is true. Only the signatures of people's passkeys are out of the
 * operator's reach.
 */
export class StoryTeller {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly log: AuditLog,
    /** The people who have to approve. */
    private readonly quorum: readonly JsonObject[] = [{ count: 1, roles: ['any'] }],
  ) {}

  async pack(tenant: TenantId, ...approvals: readonly Invention[]): Promise<{ text: string; answers: JsonObject[] }> {
    const [planId, taskId, requestId] = [newId<PlanId>(), newId<TaskId>(), newId()];
    const documents: EvidenceDocument[] = [];
    const answers: JsonObject[] = [];
    const fix = (kind: EvidenceDocument['kind'], id: string, document: Json, inPack = true): EvidenceRef => {
      if (inPack) documents.push({ kind, id, document });
      return { kind, id, digest: digestOf(kind, document) };
    };
    const plan: Json = { id: planId, phases: [] };
    const planDigest = digestOf('plan', plan);
    const binding = { subject: { plan: planDigest } };
    const bindingDigest = digestOf('binding', binding);
    const about = { within: inPlan({ taskId, planId }), level: 'full' as const };
    const subject = { type: 'approval_request', id: requestId };
    const digests = { binding, binding_digest: bindingDigest };
    const events: AuditEvent[] = [];
    for (const { by, enrolled } of approvals) {
      if (enrolled === false) continue;
      const document: JsonObject = {
        id: newId(),
        person_id: by.key.personId,
        credential_id: by.key.credentialId,
        public_key: by.key.publicKey,
        relying_party_id: by.key.relyingPartyId,
        origin: by.key.origin,
        enrolled_at: 1,
      };
      const known = documents.some(
        (one) => one.kind === 'passkey' && (one.document as JsonObject).credential_id === by.key.credentialId,
      );
      if (known) continue;
      events.push({
        ...about,
        action: 'factor.enrolled',
        actor: by.actor,
        subject: { type: 'factor', id: 'f' },
        evidence: [fix('passkey', document.id as string, enrolled?.(document) ?? document)],
        payload: {},
      });
    }
    events.push(
      {
        ...about,
        action: 'plan.validated',
        actor: bot('drift-bot'),
        subject: { type: 'plan', id: planId },
        evidence: [fix('plan', planId, plan)],
        payload: {},
      },
      {
        ...about,
        action: 'approval_request.opened',
        actor: bot('drift-bot'),
        subject,
        digests,
        payload: { excluded: [], obligations: { approvals: [...this.quorum] } },
      },
    );
    for (const invention of approvals) {
      const { by, verdict = 'approve', comment = 'Go.', answers: kept = 'once' } = invention;
      const reviewed = { verdict, comment, subject_digest: planDigest };
      const review = fix('review', newId(), {
        ...reviewed,
        request_id: requestId,
        binding_digest: bindingDigest,
        person_id: by.key.personId,
        ...(invention.mfa === null ? {} : { mfa: invention.mfa ?? { method: 'passkey', proved_at: 1 } }),
      });
      const operation = { kind: 'review', request_id: requestId, verdict, subject_digest: planDigest, comment };
      const answer = invention.replayed?.document ?? answerOf(invention, operation);
      const document = invention.document?.(answer) ?? answer;
      if (kept !== 'none') answers.push(document);
      const signed = kept === 'none' ? [] : [fix('passkey-assertion', newId(), document, kept !== 'left out')];
      const entry: AuditEvent = {
        ...about,
        action: 'review.submitted',
        actor: by.actor,
        subject,
        evidence: [review, ...signed],
        payload: { ...reviewed, binding_digest: bindingDigest, roles: ['SRELead'], ...invention.payload },
      };
      events.push(entry, ...(kept === 'twice' ? [entry] : []));
    }
    events.push({ ...about, action: 'approval_request.approved', actor: bot('server'), subject, digests, payload: {} });
    await this.uow.run(tenant, async (tx) => {
      for (const event of events) await this.log.sink.record(tx, event);
    });
    const built = await this.log
      .evidencePacks({
        plan: [{ section: 'test', collect: () => Promise.resolve(documents) }],
        change_request: [],
        session: [],
        automation_run: [],
        fixed: [],
      })
      .execute(tenant, { subject: { type: 'plan', id: planId }, actor: bot('auditor') });
    if (!built.ok) throw new Error(built.error.code);
    return { text: built.value, answers };
  }
}

/** The answer of the passkey, as evidence. */
function answerOf({ by, signs = by, behaviour, operation: other }: Invention, operation: JsonObject): JsonObject {
  const signed = other?.(operation) ?? operation;
  const nonce = randomBytes(32);
  const digest = digestOf('stepped-up-operation', { person_id: by.key.personId as PersonId, operation: signed });
  const { response } = signs.passkey.assert(passkeyChallenge(digest, nonce), behaviour) as {
    response: { authenticatorData: string; clientDataJSON: string; signature: string };
  };
  return {
    id: newId(),
    person_id: by.key.personId,
    operation: signed,
    nonce: nonce.toString('base64url'),
    signed_at: 1,
    credential_id: signs.key.credentialId,
    public_key: signs.key.publicKey,
    relying_party_id: signs.key.relyingPartyId,
    origin: signs.key.origin,
    authenticator_data: response.authenticatorData,
    client_data_json: response.clientDataJSON,
    signature: response.signature,
  };
}
