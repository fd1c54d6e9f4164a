import type { JsonObject } from '#lib/canonical';
import { newId, type PersonId, type TenantId } from '#lib/kernel';
import {
  formatApproverKey,
  parseApproverKeys,
  parseNoteKey,
  replayDecisions,
  verifyPack,
  type ApproverKey,
  type VerificationReport,
} from '#lib/verifier';
import { testAuditLog, type TestAuditLog } from '../support/audit-log.js';
import { StoryTeller, type Approver, type Invention } from '../support/invented-approval.js';
import { softwareAuthenticator, type SigningAlgorithm } from '../support/virtual-authenticator.js';

const SITE = { origin: 'https://countersign.example', rpId: 'countersign.example' };

function approver(name: string, algorithm: SigningAlgorithm = 'ES256'): Approver {
  const passkey = softwareAuthenticator(SITE, algorithm);
  const personId = newId<PersonId>();
  return {
    passkey,
    actor: { kind: 'person', id: personId, display_name: name, credential_id: 'c', on_behalf_of: null },
    key: {
      personId,
      credentialId: passkey.passkeyId,
      publicKey: passkey.publicKey,
      relyingPartyId: SITE.rpId,
      origin: SITE.origin,
    },
  };
}

/** A passkey of the operator, enrolled in a person's name. */
const impostorOf = (victim: Approver): Approver => {
  const { passkey, key } = approver('x');
  return { ...victim, passkey, key: { ...key, personId: victim.key.personId } };
};

describe('T43: somebody who holds keyring and database invents an approval', () => {
  let made: TestAuditLog;
  let db: TestAuditLog['db'];
  let log: TestAuditLog['log'];
  let teller: StoryTeller;
  const [sam, noor] = [approver('Sam'), approver('Noor')];

  beforeAll(async () => {
    made = await testAuditLog();
    ({ db, log } = made);
    teller = new StoryTeller(db.uow, log);
  });
  afterAll(() => made.close());

  /** Through the file, as somebody would have kept it. */
  const kept = (...keys: ApproverKey[]): readonly ApproverKey[] => {
    const read = parseApproverKeys(keys.map(formatApproverKey).join('\n'));
    if ('line' in read) throw new Error(read.message);
    return read;
  };
  const file = kept(sam.key, noor.key);

  async function verified(
    approverKeys: readonly ApproverKey[] | null,
    ...told: Invention[]
  ): Promise<VerificationReport> {
    const tenant = newId<TenantId>();
    const { text } = await teller.pack(tenant, ...told);
    return verify(tenant, text, approverKeys);
  }
  async function verify(
    tenant: TenantId,
    text: string,
    approverKeys: readonly ApproverKey[] | null,
  ): Promise<VerificationReport> {
    const trustedKeys = (await log.listKeys.execute(tenant)).flatMap(({ key }) => parseNoteKey(key) ?? []);
    const replay = (job: Parameters<typeof replayDecisions>[0]) => Promise.resolve(replayDecisions(job));
    return verifyPack(Buffer.from(text), { trustedKeys, replay, ...(approverKeys === null ? {} : { approverKeys }) });
  }
  const codeOf = async (keys: readonly ApproverKey[] | null, ...told: Invention[]): Promise<string | undefined> =>
    (await verified(keys, ...told)).failure?.code;

  it.each(['ES256', 'EdDSA', 'RS256'] as const)(
    'Sam’s own signature (%s) holds against his own key',
    async (algorithm) => {
      const signer = approver('Sam', algorithm);
      expect(await verified(kept(signer.key), { by: signer })).toMatchObject({
        failure: null,
        approvals: [
          {
            shownBy: 'kept_key',
            lets: true,
            line: expect.stringMatching(
              /^Sam approved, signed with a passkey: checked against the key that you kept \(fingerprint (\d{5} ?){6}\)\.$/,
            ),
          },
        ],
      });
      expect(await verified(null, { by: signer })).toMatchObject({
        failure: null,
        approvals: [{ shownBy: 'pack_key', line: expect.stringContaining('signed, key from the pack (') }],
      });
    },
  );

  it('with a key of their own in Sam’s name: refused against his key, else said to be the pack’s', async () => {
    const told = { by: impostorOf(sam) };
    expect(await codeOf(file, told)).toBe('approver.key_unknown');
    expect(await verified(null, told)).toMatchObject({
      failure: null,
      approvals: [{ shownBy: 'pack_key', line: expect.stringContaining('signed, key from the pack (') }],
    });
    const sameId = { ...told.by, key: { ...told.by.key, credentialId: sam.key.credentialId } };
    expect(await codeOf(file, { by: sameId })).toBe('approver.key_differs');
  });

  it('with a key of somebody else: refused', async () => {
    const asSam = { ...sam, passkey: noor.passkey, key: { ...noor.key, personId: sam.key.personId } };
    expect(await codeOf(file, { by: asSam })).toBe('approver.key_of_another');
    const renamed = { ...asSam, key: { ...asSam.key, credentialId: approver('x').key.credentialId } };
    expect(await codeOf(file, { by: renamed })).toBe('approver.key_of_another');
  });

  it('by a person without a kept key: says so, and that it was not checked', async () => {
    expect(await verified(kept(noor.key), { by: sam })).toMatchObject({
      failure: null,
      approvals: [{ shownBy: 'pack_key', line: expect.stringContaining('not checked against a kept key') }],
    });
  });

  it('with Sam’s signature for another plan: refused, also if the operation is swapped for this one', async () => {
    const { answers } = await teller.pack(newId<TenantId>(), { by: sam });
    const document = answers[0] ?? {};
    expect(await codeOf(file, { by: sam, replayed: { document } })).toBe('approver.other_operation');
    for (const keys of [file, null]) {
      const swapped = (answer: JsonObject): JsonObject => ({
        ...answer,
        client_data_json: document.client_data_json ?? '',
        authenticator_data: document.authenticator_data ?? '',
        signature: document.signature ?? '',
      });
      expect(await codeOf(keys, { by: sam, document: swapped })).toBe('approver.challenge');
      const nonce = (answer: JsonObject): JsonObject => ({ ...swapped(answer), nonce: document.nonce ?? '' });
      expect(await codeOf(keys, { by: sam, document: nonce })).toBe('approver.challenge');
    }
  });

  it.each<[string, string, Partial<Invention>]>([
    ['signed a rejection', 'approver.other_operation', { operation: (o) => ({ ...o, verdict: 'reject' }) }],
    [
      'rejected, and the log says approved',
      'approver.contradiction',
      { verdict: 'reject', payload: { verdict: 'approve' } },
    ],
    ['signed another comment', 'approver.other_operation', { operation: (o) => ({ ...o, comment: 'No.' }) }],
    [
      'signed another plan',
      'approver.other_operation',
      { operation: (o) => ({ ...o, subject_digest: `sha256:${'0'.repeat(64)}` }) },
    ],
    ['signed for another request', 'approver.other_operation', { operation: (o) => ({ ...o, request_id: newId() }) }],
    ['signed something with a member more', 'approver.other_operation', { operation: (o) => ({ ...o, more: 1 }) }],
    [
      'was on a page of another origin',
      'approver.origin',
      { behaviour: { origin: 'https://countersign.example.evil.example' } },
    ],
    ['was on a page within a page', 'approver.origin', { behaviour: { crossOrigin: true } }],
    ['answered another relying party', 'approver.relying_party', { behaviour: { rpId: 'evil.example' } }],
    ['was not present', 'approver.user_presence', { behaviour: { userPresent: false } }],
    ['was not verified', 'approver.user_verification', { behaviour: { userVerified: false } }],
    ['has a key that signed nothing of it', 'approver.signature', { behaviour: { forged: true } }],
    ['is another than the answer says', 'approver.other_person', { document: (d) => ({ ...d, person_id: newId() }) }],
    ['answered with a member more', 'approver.assertion_format', { document: (d) => ({ ...d, more: 1 }) }],
    [
      'answered with another key’s spelling',
      'approver.assertion_format',
      { document: (d) => ({ ...d, public_key: `${sam.key.publicKey}=` }) },
    ],
    ['answered with no text', 'approver.answer_format', { document: (d) => ({ ...d, client_data_json: 'e30' }) }],
    ['used an answer twice', 'approver.used_twice', { answers: 'twice' }],
    ['answered, and the pack lacks it', 'approver.assertion_missing', { answers: 'left out' }],
    ['answered, and the review says a code', 'approver.contradiction', { mfa: { method: 'totp', proved_at: 1 } }],
    ['enrolled another key', 'approver.enrolment', { enrolled: (d) => ({ ...d, public_key: noor.key.publicKey }) }],
  ])('Sam %s: %s', async (_what, code, told) => {
    expect(await codeOf(file, { by: sam, ...told })).toBe(code);
    expect(await codeOf(null, { by: sam, ...told })).toBe(code);
  });

  it('of another origin or relying party than was kept, all else being consistent: refused', async () => {
    const elsewhere = (site: Partial<ApproverKey>): Approver => ({ ...sam, key: { ...sam.key, ...site } });
    const origin = 'https://login.countersign.example';
    expect(await codeOf(file, { by: elsewhere({ origin }), behaviour: { origin } })).toBe('approver.origin');
    const other = { relyingPartyId: 'evil.example' };
    expect(await codeOf(file, { by: elsewhere(other), behaviour: { rpId: 'evil.example' } })).toBe(
      'approver.relying_party',
    );
  });

  it.each([
    ['an authenticator code', { method: 'totp', proved_at: 1 }, 'Sam approved with an authenticator code: not signed'],
    ['a recovery code', { method: 'recovery_code', proved_at: 1 }, 'Sam approved with a recovery code: not signed'],
    ['nothing', null, 'Sam approved without a second factor: not signed'],
    [
      'a passkey that left nothing',
      { method: 'passkey', proved_at: 1 },
      'Sam approved with a passkey whose signature was not kept',
    ],
  ])('as one by %s: told apart from a signed one in every case', async (_what, mfa, line) => {
    for (const keys of [file, null]) {
      expect(await verified(keys, { by: sam, mfa, answers: 'none' })).toMatchObject({
        failure: null,
        approvals: [{ shownBy: 'server', lets: true, fingerprint: null, line: expect.stringContaining(line) }],
      });
    }
  });

  it('says where the log does not tell when a key was enrolled', async () => {
    expect(await verified(file, { by: sam, enrolled: false })).toMatchObject({
      failure: null,
      approvals: [
        { shownBy: 'kept_key', line: expect.stringContaining('the log does not say when this key was enrolled') },
      ],
    });
  });
});
