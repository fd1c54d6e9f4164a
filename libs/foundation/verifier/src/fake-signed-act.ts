import type { Json, JsonObject } from '#lib/canonical';
import {
  softwareAuthenticator,
  type Behaviour,
  type SoftwareAuthenticator,
} from '../../../../test/support/virtual-authenticator.js';
import type { ApproverKey } from './approver-keys.js';
import { documentDigest } from './audit-entry.js';
import { checkApprovers, type ShownAct } from './check-approvers.js';
import { failureOf, packOf, person, PLAN, type FakeEvent } from './fake-pack.js';
import type { Pack, PackDocument, PackSubject } from './pack-shape.js';
import { passkeyChallenge } from './passkey-challenge.js';
import { refuse } from './verification-failure.js';

const SITE = { origin: 'https://countersign.example', rpId: 'countersign.example' };
export const REQUEST = { type: 'approval_request', id: 'request-1' };
export const RUN = { type: 'run', id: 'run-1' };
export const CHANGE: PackSubject = { type: 'change_request', id: 'change-1' };
const NONCE = new Uint8Array(32).fill(5);
export const DIGEST = `sha256:${'1'.repeat(64)}`;

const passkey = softwareAuthenticator(SITE, 'EdDSA');
export const otherPasskey = softwareAuthenticator(SITE, 'EdDSA');
export const keyOf = ({ passkeyId, publicKey }: SoftwareAuthenticator, personId = 'ada'): ApproverKey => ({
  personId,
  credentialId: passkeyId,
  publicKey,
  relyingPartyId: SITE.rpId,
  origin: SITE.origin,
});
export const KEY = keyOf(passkey);

/** The parts of a signed review, which a forgery changes. */
export interface Story {
  review: JsonObject;
  payload: JsonObject | null;
  operation: JsonObject;
  signedBy: string;
  key: ApproverKey;
  behaviour: Partial<Behaviour>;
  /** Over the document of the passkey's answer. */
  document: (document: JsonObject) => Json;
  /** The assertions that the entry fixes. */
  answers: (answer: PackDocument) => PackDocument[];
  enrolment: JsonObject | null;
  enrolled: Partial<FakeEvent>;
  late: boolean;
}

export const told = (): Story => ({
  review: {
    person_id: 'ada',
    request_id: REQUEST.id,
    verdict: 'approve',
    comment: 'Go.',
    subject_digest: DIGEST,
    binding_digest: DIGEST,
    mfa: { method: 'passkey', proved_at: 1 },
  },
  payload: { verdict: 'approve', comment: 'Go.', subject_digest: DIGEST, binding_digest: DIGEST },
  operation: { kind: 'review', request_id: REQUEST.id, verdict: 'approve', subject_digest: DIGEST, comment: 'Go.' },
  signedBy: 'ada',
  key: KEY,
  behaviour: {},
  document: (document) => document,
  answers: (answer) => [answer],
  enrolment: {
    person_id: 'ada',
    credential_id: KEY.credentialId,
    public_key: KEY.publicKey,
    relying_party_id: KEY.relyingPartyId,
  },
  enrolled: {},
  late: false,
});

/** The document of a passkey's answer to an operation. */
export function answerOf(
  operation: JsonObject,
  { signedBy, key, behaviour }: Pick<Story, 'signedBy' | 'key' | 'behaviour'>,
): JsonObject {
  const digest = documentDigest('stepped-up-operation', { person_id: signedBy, operation });
  const { response } = passkey.assert(passkeyChallenge(digest, NONCE), behaviour) as {
    response: { authenticatorData: string; clientDataJSON: string; signature: string };
  };
  return {
    id: 'answer-1',
    person_id: key.personId,
    credential_id: key.credentialId,
    public_key: key.publicKey,
    relying_party_id: key.relyingPartyId,
    origin: key.origin,
    operation,
    nonce: Buffer.from(NONCE).toString('base64url'),
    authenticator_data: response.authenticatorData,
    client_data_json: response.clientDataJSON,
    signature: response.signature,
    signed_at: 1,
  };
}

export const shown = (pack: Pack, kept: readonly ApproverKey[] | null = null): ShownAct[] =>
  checkApprovers(pack, kept, refuse);
export const refusalOf = (pack: Pack, kept: readonly ApproverKey[] | null = null): ReturnType<typeof failureOf> =>
  failureOf((say) => checkApprovers(pack, kept, say));

/** The pack of one act with its signature. */
export function packOfAct(
  event: FakeEvent,
  operation: JsonObject,
  documents: readonly PackDocument[],
  subject = PLAN,
): Pack {
  const answer = { kind: 'passkey-assertion', id: 'answer-1', document: answerOf(operation, told()) };
  return packOf([{ ...event, actor: person('ada'), fixes: [...(event.fixes ?? []), answer] }], { subject, documents });
}
