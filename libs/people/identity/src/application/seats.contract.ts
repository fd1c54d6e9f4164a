import { newId, type PersonId, type Tx } from '#lib/kernel';
import type { ContractWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import type { Standing } from '../domain/seats.js';
import { sampleDigest } from './fake-credential-samples.js';
import type { EnrolmentMaker, EnrolmentRepository, PersonRepository, Seats } from './identity.ports.js';

interface Setting {
  readonly world: ContractWorld;
  readonly people: Pick<PersonRepository, 'insert'>;
  readonly enrolments: Pick<EnrolmentRepository, 'insert' | 'markUsed'>;
  readonly seats: Seats;
  /** Resolves once the clock shows another millisecond. */
  readonly later: () => Promise<void>;
}

/** The contract of the standings that enrolments and vouches show. The clock of the world is that of this process. */
export function describeSeats(name: string, open: () => Promise<Setting>): void {
  describe(`${name} keeps the contract of Seats`, () => {
    let setting: Setting;
    beforeAll(async () => {
      setting = await open();
    });
    afterAll(() => setting.world.close());

    const atHome = <T>(work: (tx: Tx) => Promise<T>): Promise<T> =>
      setting.world.uow.run(setting.world.home.tenantId, work);
    const person = async (email = `${newId()}@example.com`): Promise<PersonId> => {
      const id = newId<PersonId>();
      await atHome((tx) => setting.people.insert(tx, { id, email, displayName: `Person ${id}` }));
      return id;
    };
    const invited = async (personId: PersonId, maker: EnrolmentMaker): Promise<string> => {
      const id = newId();
      const expiresAt = Date.now() + 3_600_000;
      await atHome((tx) =>
        setting.enrolments.insert(tx, { id, personId, digest: sampleDigest(), expiresAt, ...maker }),
      );
      return id;
    };
    const comesIn = async (personId: PersonId, maker: EnrolmentMaker): Promise<void> => {
      const id = await invited(personId, maker);
      await setting.later();
      await atHome((tx) => setting.enrolments.markUsed(tx, id));
      await setting.later();
    };
    const letInBy = async (createdBy: PersonId, channel: 'shown' | 'mailed', email?: string): Promise<PersonId> => {
      const id = await person(email);
      await comesIn(id, { channel, createdBy });
      return id;
    };
    const known = async (email?: string): Promise<PersonId> => {
      const id = await person(email);
      await comesIn(id, { channel: 'operator', createdBy: null });
      return id;
    };
    const vouched = async (personId: PersonId, vouchedBy: PersonId): Promise<void> => {
      await atHome((tx) => setting.seats.keepVouch(tx, { personId, vouchedBy }));
      await setting.later();
    };
    const standingOf = async (id: PersonId, before?: number): Promise<Standing | undefined> =>
      (await atHome((tx) => setting.seats.standingOf(tx, [id], before))).get(id);

    it('answers for everybody, also for those who never came in', async () => {
      const [added, stranger] = [await person(), newId<PersonId>()];
      await invited(added, { channel: 'operator', createdBy: null });
      const standings = await atHome((tx) => setting.seats.standingOf(tx, [added, stranger, added]));
      const nothing = { knownBy: [], known: false, sharedWith: [] };
      expect([...standings]).toEqual([added, stranger].map((personId) => [personId, { personId, ...nothing }]));
    });

    it.each([
      ['operator', 'operator'],
      ['bootstrap', 'founder'],
    ] as const)('knows a person who came in by a token of the %s', async (channel, basis) => {
      const id = await person();
      await comesIn(id, { channel, createdBy: null });
      const standing = await standingOf(id);
      expect(standing).toMatchObject({
        known: true,
        sharedWith: [],
        knownBy: [{ basis, by: null, hand: null, issuer: null, counts: true }],
      });
      const [way] = standing?.knownBy ?? [];
      expect(way?.since).toBe(way?.at);
      expect(way?.handAt).toBeLessThan(way?.at ?? 0);
    });

    it('has a person share the vote of the maker of their token, and of the hands of that maker', async () => {
      const founder = await known();
      const hand = await letInBy(founder, 'shown');
      const id = await letInBy(hand, 'shown');
      expect(await standingOf(id)).toMatchObject({
        known: false,
        sharedWith: [founder, hand].sort(),
        knownBy: [{ basis: 'token', by: hand, hand, counts: false }],
      });
      const ways = await atHome((tx) => setting.seats.waysIn(tx, [id]));
      expect(new Set(ways.keys())).toEqual(new Set([founder, hand, id]));
    });

    it('knows a person by a mailed invitation, unless the mailbox is somebody else’s', async () => {
      const box = newId();
      const sender = await known(`Ada.${box}@example.com`);
      const free = await letInBy(sender, 'mailed');
      expect(await standingOf(free)).toMatchObject({
        known: true,
        sharedWith: [],
        knownBy: [{ basis: 'mailed_invitation', by: sender, hand: sender, counts: true }],
      });
      const another = await known();
      for (const by of [sender, another]) {
        const theirs = await letInBy(by, 'mailed', `ada${box}+${newId()}@EXAMPLE.com`);
        expect(await standingOf(theirs)).toMatchObject({ known: false, sharedWith: [by] });
      }
    });

    it('frees a person by a vouch, for requests that open afterwards', async () => {
      const [founder, voucher] = [await known(), await known()];
      const id = await letInBy(founder, 'shown');
      await vouched(id, voucher);
      const standing = await standingOf(id);
      expect(standing).toMatchObject({ known: true, sharedWith: [] });
      expect(standing?.knownBy).toMatchObject([
        { basis: 'token' },
        { basis: 'vouched', by: voucher, hand: null, issuer: null, counts: true },
      ]);
      const before = standing?.knownBy[1]?.since;
      expect(await standingOf(id, before)).toMatchObject({ known: false, sharedWith: [founder] });
    });

    it('forgets a vouch once the person comes in by a hand again', async () => {
      const [founder, voucher] = [await known(), await known()];
      const id = await letInBy(founder, 'shown');
      await vouched(id, voucher);
      await comesIn(id, { channel: 'shown', createdBy: voucher });
      expect(await standingOf(id)).toMatchObject({ known: false, sharedWith: [voucher] });
    });

    it('shows nothing to another tenant', async () => {
      const id = await known();
      const { other, uow } = setting.world;
      const elsewhere = await uow.run(other.tenantId, (tx) => setting.seats.standingOf(tx, [id]));
      expect(elsewhere.get(id)).toMatchObject({ known: false, knownBy: [] });
    });
  });
}
