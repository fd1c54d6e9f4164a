import type { JsonObject } from '#lib/canonical';
import { newId, type PersonId, type TenantId } from '#lib/kernel';
import { parseNoteKey, replayDecisions, verifyPack, type VerificationReport } from '#lib/verifier';
import { testAuditLog, type TestAuditLog } from '../support/audit-log.js';
import { StoryTeller, type Approver } from '../support/invented-approval.js';
import { softwareAuthenticator } from '../support/virtual-authenticator.js';

const SITE = { origin: 'https://countersign.example', rpId: 'countersign.example' };

function approver(name: string): Approver {
  const passkey = softwareAuthenticator(SITE);
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

describe('T75: a delegate and the delegating person fill a quorum of two, and the log says approved', () => {
  const [sam, lea, noor] = [approver('Sam'), approver('Lea'), approver('Noor')];
  let made: TestAuditLog;
  let db: TestAuditLog['db'];
  let log: TestAuditLog['log'];
  let teller: StoryTeller;

  beforeAll(async () => {
    made = await testAuditLog();
    ({ db, log } = made);
    teller = new StoryTeller(db.uow, log, [{ count: 2, roles: ['SRELead'] }]);
  });
  afterAll(() => made.close());

  async function verified(...votes: readonly (readonly [Approver, JsonObject])[]): Promise<VerificationReport> {
    const tenant = newId<TenantId>();
    const { text } = await teller.pack(tenant, ...votes.map(([by, payload]) => ({ by, payload })));
    const trustedKeys = (await log.listKeys.execute(tenant)).flatMap(({ key }) => parseNoteKey(key) ?? []);
    return verifyPack(Buffer.from(text), { trustedKeys, replay: (job) => Promise.resolve(replayDecisions(job)) });
  }
  const own = {};
  const for_ = (lender: Approver): JsonObject => ({ delegated_by: lender.key.personId });
  const sharing = (hand: Approver): JsonObject => ({ seat: { shared_with: [hand.key.personId], known_by: [] } });

  it.each<[string, (readonly [Approver, JsonObject])[]]>([
    [
      'the one who is away and the delegate',
      [
        [sam, own],
        [lea, for_(sam)],
      ],
    ],
    [
      'the delegate first',
      [
        [lea, for_(sam)],
        [sam, own],
      ],
    ],
    [
      'two delegates of one person',
      [
        [lea, for_(sam)],
        [noor, for_(sam)],
      ],
    ],
    [
      'two people of one hand',
      [
        [lea, sharing(sam)],
        [noor, sharing(sam)],
      ],
    ],
    [
      'a delegate, and somebody of the hand of the one who is away',
      [
        [lea, for_(sam)],
        [noor, sharing(sam)],
      ],
    ],
    [
      'one person, twice',
      [
        [sam, own],
        [sam, own],
      ],
    ],
  ])('%s: the verifier refuses the pack', async (_how, votes) => {
    expect((await verified(...votes)).failure?.code).toBe('story.quorum');
  });

  it('two people of their own: it verifies', async () => {
    expect(await verified([sam, own], [lea, own])).toMatchObject({ failure: null });
    expect(await verified([sam, own], [lea, for_(noor)])).toMatchObject({ failure: null });
  });
});
