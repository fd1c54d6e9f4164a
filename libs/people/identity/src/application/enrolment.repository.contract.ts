import { newId, type PersonId, type Tx } from '#lib/kernel';
import { waitsBehind } from '../../../../foundation/kernel/src/fake-lock.js';
import type { ContractWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import { sampleDigest } from './fake-credential-samples.js';
import type { Enrolment, EnrolmentMaker, EnrolmentRepository, PersonRepository } from './identity.ports.js';

const HOUR_MS = 3_600_000;

/** The contract of a repository of enrolments. The clock of the world is that of this process. */
export function describeEnrolmentRepository(
  name: string,
  open: () => Promise<{
    readonly world: ContractWorld;
    readonly people: Pick<PersonRepository, 'insert'>;
    readonly enrolments: EnrolmentRepository;
    /** The person of the home tenant registers a second factor. */
    readonly registers: (personId: PersonId) => Promise<void>;
  }>,
): void {
  describe(`${name} keeps the contract of EnrolmentRepository`, () => {
    let world: ContractWorld;
    let people: Pick<PersonRepository, 'insert'>;
    let enrolments: EnrolmentRepository;
    let registers: (personId: PersonId) => Promise<void>;
    const EXPIRES_AT = Math.floor(Date.now() / 1_000) * 1_000 + HOUR_MS;
    beforeAll(async () => {
      ({ world, people, enrolments, registers } = await open());
    });
    afterAll(() => world.close());

    const atHome = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => world.uow.run(world.home.tenantId, work);
    const person = async (): Promise<PersonId> => {
      const id = newId<PersonId>();
      await atHome((tx) => people.insert(tx, { id, email: `${id}@example.com`, displayName: `Person ${id}` }));
      return id;
    };
    const BY_OPERATOR: EnrolmentMaker = { channel: 'operator', createdBy: null };
    const issued = async (
      personId: PersonId,
      {
        maker = BY_OPERATOR,
        digest = sampleDigest(),
      }: { readonly maker?: EnrolmentMaker; readonly digest?: Uint8Array } = {},
    ): Promise<string> => {
      const id = newId();
      await atHome((tx) => enrolments.insert(tx, { id, personId, digest, expiresAt: EXPIRES_AT, ...maker }));
      return id;
    };
    const found = (id: string): Promise<Enrolment | null> => atHome((tx) => enrolments.lock(tx, id));

    it('finds an inserted enrolment by its id, and by its token before a tenant is known', async () => {
      const [personId, digest] = [await person(), sampleDigest()];
      const id = await issued(personId, { digest });
      const unused = { id, personId, channel: 'operator', expiresAt: EXPIRES_AT, usedAt: null, voidedAt: null };
      expect(await found(id)).toEqual(unused);
      expect(await enrolments.locate([sampleDigest(), digest])).toEqual({ tenantId: world.home.tenantId, id });
      expect(await enrolments.locate([sampleDigest()])).toBeNull();
      expect(await world.uow.run(world.other.tenantId, (tx) => enrolments.lock(tx, id))).toBeNull();
    });

    it('lets one transaction at a time hold an enrolment', async () => {
      const id = await issued(await person());
      expect(await waitsBehind(world, (tx) => enrolments.lock(tx, id))).toBe(true);
    });

    it('replaces an unused one of the same person alone', async () => {
      const [one, other] = [await person(), await person()];
      const [former, theirs] = [await issued(one), await issued(other)];
      const latest = await issued(one);
      expect(await found(former)).toMatchObject({ voidedAt: expect.any(Number) as number });
      for (const id of [theirs, latest]) expect(await found(id)).toMatchObject({ voidedAt: null });
    });

    it('voids those that were not used, and counts them', async () => {
      const [one, other] = [await person(), await person()];
      const used = await issued(one);
      await atHome((tx) => enrolments.markUsed(tx, used));
      const [unused, theirs] = [await issued(one), await issued(other)];
      expect(await atHome((tx) => enrolments.voidUnused(tx, one))).toBe(1);
      expect(await atHome((tx) => enrolments.voidUnused(tx, one))).toBe(0);
      expect(await found(unused)).toMatchObject({ usedAt: null, voidedAt: expect.any(Number) as number });
      expect(await found(used)).toMatchObject({ usedAt: expect.any(Number) as number, voidedAt: null });
      expect(await found(theirs)).toMatchObject({ voidedAt: null });
    });

    it('lists those that are open, with their makers, the latest first', async () => {
      const people = [await person(), await person(), await person()] as const;
      const createdBy = people[0];
      await issued(people[0]);
      await issued(people[1], { maker: { channel: 'mailed', createdBy } });
      const used = await issued(people[2]);
      await atHome((tx) => enrolments.markUsed(tx, used));
      const open = await atHome((tx) => enrolments.listOpen(tx));
      const theirs = open.filter(({ person: { id } }) => people.includes(id));
      expect(theirs).toMatchObject([
        {
          person: { id: people[1], email: `${people[1]}@example.com` },
          channel: 'mailed',
          invitedBy: { personId: createdBy, displayName: `Person ${createdBy}` },
          expiresAt: EXPIRES_AT,
        },
        { person: { id: people[0] }, channel: 'operator', invitedBy: null },
      ]);
    });

    it('remembers how somebody came in last', async () => {
      const [personId, createdBy] = [await person(), await person()];
      const last = () => atHome((tx) => enrolments.lastUsed(tx, personId));
      const use = async (maker: EnrolmentMaker): Promise<void> => {
        const id = await issued(personId, { maker });
        await atHome((tx) => enrolments.markUsed(tx, id));
      };
      expect(await last()).toBeNull();
      await use({ channel: 'shown', createdBy });
      expect(await last()).toMatchObject({
        channel: 'shown',
        createdBy: { personId: createdBy, displayName: `Person ${createdBy}` },
      });
      await issued(personId);
      expect(await last()).toMatchObject({ channel: 'shown' });
    });

    it('tells whether a person has a second factor', async () => {
      const [one, other] = [await person(), await person()];
      await registers(one);
      const has = (personId: PersonId) => atHome((tx) => enrolments.hasFactors(tx, personId));
      expect([await has(one), await has(other)]).toEqual([true, false]);
    });
  });
}
