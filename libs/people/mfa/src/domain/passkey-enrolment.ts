import type { PasskeyDocument } from '#lib/formats';
import { digestOf, type EvidenceRef, type FactorId, type PersonId } from '#lib/kernel';
import { formatApproverKey, approverKeyFingerprint, type ApproverKey } from '#lib/verifier';
import { passkeyPublicKeyOf } from './cose-key.js';
import type { PasskeyFactor } from './factor.js';

/** The facts of a passkey that never change, also after its removal. */
export type EnrolledPasskey = Pick<
  PasskeyFactor,
  'id' | 'personId' | 'name' | 'passkeyId' | 'publicKey' | 'site' | 'createdAt'
>;

/** A passkey as somebody keeps it who checks approvals. */
export interface KeptPasskey {
  readonly factorId: FactorId;
  readonly personId: PersonId;
  readonly name: string;
  readonly enrolledAt: number;
  /** As an approval that it signs names it. */
  readonly credentialId: string;
  /** For an approver-keys file. */
  readonly line: string;
  /** Of the line, to compare by voice. */
  readonly fingerprint: string;
}

/** The document that the enrolment of a passkey fixes; null for a key that the verifier does not take. */
export function enrolmentDocument(passkey: EnrolledPasskey): PasskeyDocument | null {
  const { site } = passkey;
  const publicKey = passkeyPublicKeyOf(passkey.publicKey);
  if (publicKey === null) return null;
  return {
    id: passkey.id,
    person_id: passkey.personId,
    credential_id: passkey.passkeyId,
    public_key: publicKey,
    relying_party_id: site.id,
    origin: site.origin,
    enrolled_at: passkey.createdAt,
  };
}

/** How the audit entry of an enrolment names it. */
export function enrolmentEvidence(passkey: EnrolledPasskey): EvidenceRef[] {
  const document = enrolmentDocument(passkey);
  return document === null ? [] : [{ kind: 'passkey', id: passkey.id, digest: digestOf('passkey', document) }];
}

/** @returns null for a key that the verifier does not take. */
export function keptPasskey(passkey: EnrolledPasskey): KeptPasskey | null {
  const publicKey = passkeyPublicKeyOf(passkey.publicKey);
  if (publicKey === null) return null;
  const key: ApproverKey = {
    personId: passkey.personId,
    credentialId: passkey.passkeyId,
    publicKey,
    relyingPartyId: passkey.site.id,
    origin: passkey.site.origin,
  };
  return {
    factorId: passkey.id,
    personId: passkey.personId,
    name: passkey.name,
    enrolledAt: passkey.createdAt,
    credentialId: key.credentialId,
    line: formatApproverKey(key),
    fingerprint: approverKeyFingerprint(key),
  };
}
