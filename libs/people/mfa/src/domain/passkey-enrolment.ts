import type { PasskeyDocument } from '#lib/formats';
import { digestOf, type EvidenceRef, type FactorId, type PersonId } from '#lib/kernel';
import { formatApproverKey, approverKeyFingerprint, type ApproverKey } from '#lib/verifier';
import { passkeyPublicKeyOf } from './cose-key.js';
import type { PasskeyFactor } from './factor.js';
import type { RelyingParty } from './relying-party.js';

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
  /** Whether the audit log fixed its enrolment. */
  readonly logged: boolean;
}

/** The document that the enrolment of a passkey fixes; null for one from before enrolments were fixed. */
export function enrolmentDocument(passkey: EnrolledPasskey): PasskeyDocument | null {
  const { site } = passkey;
  const publicKey = passkeyPublicKeyOf(passkey.publicKey);
  if (site === null || publicKey === null) return null;
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

/**
 * @param today the relying party of this installation, for passkeys that were registered before it was kept.
 * @returns null for a key that the verifier does not take.
 */
export function keptPasskey(passkey: EnrolledPasskey, today: RelyingParty | null): KeptPasskey | null {
  const publicKey = passkeyPublicKeyOf(passkey.publicKey);
  const site = passkey.site ?? today;
  if (publicKey === null || site === null) return null;
  const key: ApproverKey = {
    personId: passkey.personId,
    credentialId: passkey.passkeyId,
    publicKey,
    relyingPartyId: site.id,
    origin: site.origin,
  };
  return {
    factorId: passkey.id,
    personId: passkey.personId,
    name: passkey.name,
    enrolledAt: passkey.createdAt,
    credentialId: key.credentialId,
    line: formatApproverKey(key),
    fingerprint: approverKeyFingerprint(key),
    logged: passkey.site !== null,
  };
}
