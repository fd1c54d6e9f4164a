import type { TenantId, Tx } from '#lib/kernel';
import type { ContractWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import { sampleClaim } from './fake-idempotency-records.js';
import type { AnswerToKeep, ClaimOutcome, IdempotencyClaim, IdempotencyRecords } from './idempotency.ports.js';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

const CREATED: AnswerToKeep = {
  status: 201,
  headers: { location: '/v1/tasks/1', etag: '"1"' },
  body: '{"name": "Ünïcode",  "id":1}',
};

/** The contract of the answers kept for repeated requests. */
export function describeIdempotencyRecords(
  name: string,
  open: () => Promise<{
    readonly world: ContractWorld;
    readonly records: IdempotencyRecords;
    /** Lets time pass for every record of `home`. */
    readonly passes: (ms: number) => Promise<void>;
  }>,
): void {
  describe(`${name} keeps the contract of IdempotencyRecords`, () => {
    let world: ContractWorld;
    let records: IdempotencyRecords;
    let passes: (ms: number) => Promise<void>;
    beforeAll(async () => {
      ({ world, records, passes } = await open());
    });
    afterAll(() => world.close());

    const claimed = { kind: 'claimed' };
    const atWork = { kind: 'unfinished', old: false };
    const keyed = (key: string): IdempotencyClaim => sampleClaim(world.home, key);
    const inTenant = <T>(work: (tx: Tx) => Promise<T>, tenantId: TenantId = world.home.tenantId): Promise<T> =>
      world.uow.run(tenantId, work);
    const claim = (wanted: IdempotencyClaim): Promise<ClaimOutcome> =>
      inTenant((tx) => records.claim(tx, wanted), wanted.tenantId);
    const complete = (wanted: IdempotencyClaim, answer = CREATED): Promise<void> =>
      inTenant((tx) => records.complete(tx, wanted, answer), wanted.tenantId);
    const release = (wanted: IdempotencyClaim): Promise<void> =>
      inTenant((tx) => records.release(tx, wanted), wanted.tenantId);

    it('lets the first claim the key, and tells a repetition that it is at work', async () => {
      expect(await claim(keyed('first'))).toEqual(claimed);
      expect(await claim(keyed('first'))).toEqual(atWork);
      expect(await claim(keyed('second'))).toEqual(claimed);
    });

    it('lets one of many at once claim the key', async () => {
      const outcomes = await Promise.all(Array.from({ length: 4 }, () => claim(keyed('at once'))));
      expect(outcomes.filter(({ kind }) => kind === 'claimed')).toEqual([claimed]);
      expect(outcomes.filter(({ kind }) => kind !== 'claimed')).toEqual([atWork, atWork, atWork]);
    });

    it('gives a repetition the answer, byte for byte', async () => {
      const empty = { status: 204, headers: {}, body: '' };
      for (const [key, answer] of Object.entries({ whole: CREATED, empty })) {
        await claim(keyed(key));
        await complete(keyed(key), answer);
        expect(await claim(keyed(key))).toEqual({ kind: 'answered', answer });
        expect(await claim(keyed(key))).toEqual({ kind: 'answered', answer });
      }
    });

    it('claims and keeps in one transaction, or neither', async () => {
      const whole = async (tx: Tx): Promise<void> => {
        await records.claim(tx, keyed('one transaction'));
        await records.complete(tx, keyed('one transaction'), CREATED);
      };
      const broken = inTenant(async (tx) => {
        await whole(tx);
        throw new Error('The work broke.');
      });
      await expect(broken).rejects.toThrow('The work broke.');
      await inTenant(whole);
      expect(await claim(keyed('one transaction'))).toEqual({ kind: 'answered', answer: CREATED });
    });

    it('tells another request that the key is not its own, answered or not', async () => {
      const first = keyed('mismatch');
      const others = [
        { ...first, operation: 'POST /v1/plans' },
        { ...first, requestDigest: `sha256:${'0'.repeat(64)}` },
      ];
      await claim(first);
      for (const other of others) expect(await claim(other)).toEqual({ kind: 'mismatch' });
      await complete(first);
      for (const other of others) expect(await claim(other)).toEqual({ kind: 'mismatch' });
    });

    it('keeps the same key of each credential and tenant apart', async () => {
      const own = keyed('apart');
      const another = { ...own, credentialId: world.home.owner.credentialId };
      const foreign = sampleClaim(world.other, 'apart');
      for (const each of [own, another, foreign]) expect(await claim(each)).toEqual(claimed);
      await complete(own);
      await inTenant((tx) => records.complete(tx, another, CREATED), world.other.tenantId);
      await inTenant((tx) => records.release(tx, another), world.other.tenantId);
      expect(await claim(another)).toEqual(atWork);
      expect(await claim(foreign)).toEqual(atWork);
      await release(own);
      await release(another);
      expect(await claim(another)).toEqual(claimed);
      expect(await claim(foreign)).toEqual(atWork);
    });

    it('gives back the key of a request at work, and of no answered one', async () => {
      await claim(keyed('back'));
      await release(keyed('back'));
      expect(await claim(keyed('back'))).toEqual(claimed);
      await complete(keyed('back'));
      await release(keyed('back'));
      expect(await claim(keyed('back'))).toEqual({ kind: 'answered', answer: CREATED });
      await release(keyed('never claimed'));
    });

    it('keeps no answer to a request that claimed no key', async () => {
      await complete(keyed('unclaimed'));
      expect(await claim(keyed('unclaimed'))).toEqual(claimed);
    });

    it('says of a request without an answer that it is old after a minute', async () => {
      await claim(keyed('died'));
      await passes(MINUTE_MS - 20_000);
      expect(await claim(keyed('died'))).toEqual(atWork);
      await passes(20_001);
      expect(await claim(keyed('died'))).toEqual({ kind: 'unfinished', old: true });
    });

    it('forgets a key after a day, answered or not', async () => {
      const [answered, died] = [keyed('answered'), keyed('left')];
      await claim(answered);
      await complete(answered);
      await claim(died);
      await passes(DAY_MS - 20_000);
      expect(await claim(answered)).toEqual({ kind: 'answered', answer: CREATED });
      expect(await claim(died)).toEqual({ kind: 'unfinished', old: true });
      await passes(20_000);
      expect(await claim({ ...answered, operation: 'POST /v1/plans' })).toEqual(claimed);
      expect(await claim(died)).toEqual(claimed);
    });
  });
}
