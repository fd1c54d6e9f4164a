import { digestOf, newId, type PersonId } from '#lib/kernel';
import { COSE_KEY, sampleAssertion, samplePasskey } from '../application/fake-mfa-samples.js';
import { enrolmentDocument, enrolmentEvidence, keptPasskey, type EnrolledPasskey } from './passkey-enrolment.js';

const SITE = { id: 'countersign.example', origin: 'https://countersign.example' };
const PASSKEY: EnrolledPasskey = samplePasskey(
  { personId: newId<PersonId>() },
  { passkeyId: 'credential-1', publicKey: COSE_KEY, site: SITE },
);
const UNKNOWN_KEY = { ...PASSKEY, publicKey: Uint8Array.of(0x80) };

describe('the enrolment of a passkey', () => {
  it('is fixed in the log with its key, its site and its person', () => {
    const document = enrolmentDocument(PASSKEY);
    expect(document).toEqual({
      id: PASSKEY.id,
      person_id: PASSKEY.personId,
      credential_id: 'credential-1',
      public_key: sampleAssertion(PASSKEY).public_key,
      relying_party_id: SITE.id,
      origin: SITE.origin,
      enrolled_at: PASSKEY.createdAt,
    });
    expect(enrolmentEvidence(PASSKEY)).toEqual([
      { kind: 'passkey', id: PASSKEY.id, digest: digestOf('passkey', document) },
    ]);
  });

  it('is fixed by no entry with a key that the verifier does not take', () => {
    expect(enrolmentDocument(UNKNOWN_KEY)).toBeNull();
    expect(enrolmentEvidence(UNKNOWN_KEY)).toEqual([]);
  });
});

describe('a passkey as the checker of approvals keeps it', () => {
  it('is of the site that it was registered with', () => {
    const kept = keptPasskey(PASSKEY);
    expect(kept).toMatchObject({ factorId: PASSKEY.id, credentialId: 'credential-1' });
    expect(kept?.line).toContain(SITE.origin);
  });

  it('is none with a key that the verifier does not take', () => {
    expect(keptPasskey(UNKNOWN_KEY)).toBeNull();
  });
});
