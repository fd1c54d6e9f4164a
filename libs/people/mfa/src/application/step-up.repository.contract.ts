import { newId, type Tx } from '#lib/kernel';
import type { StepUpId } from '#lib/identity';
import { waitsBehind } from '../../../../foundation/kernel/src/fake-lock.js';
import type { ContractWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import { type OpenStepUp, proved, type ProvedStepUp, type StepUp } from '../domain/step-up.js';
import { sampleStepUp } from './fake-mfa-samples.js';
import type { StepUpRepository } from './mfa.ports.js';

/** By a recovery code: no factor has to be there. */
const BY_CODE = { method: 'recovery_code', factorId: null, assertion: null } as const;

/** The contract of a repository of step-ups. */
export function describeStepUpRepository(
  name: string,
  open: () => Promise<{ readonly world: ContractWorld; readonly stepUps: StepUpRepository }>,
): void {
  describe(`${name} keeps the contract of StepUpRepository`, () => {
    let world: ContractWorld;
    let stepUps: StepUpRepository;
    beforeAll(async () => {
      ({ world, stepUps } = await open());
    });
    afterAll(() => world.close());

    const atHome = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => world.uow.run(world.home.tenantId, work);
    const found = (id: StepUpId): Promise<StepUp | null> => atHome((tx) => stepUps.find(tx, id));
    const kept = async (members: Partial<OpenStepUp> = {}, by = world.home.owner): Promise<OpenStepUp> => {
      const stepUp = sampleStepUp(by, members);
      await atHome((tx) => stepUps.insert(tx, stepUp));
      return stepUp;
    };
    const provedAt = async (stepUp: OpenStepUp, at: number): Promise<ProvedStepUp> => {
      const proof = { ...proved(stepUp, BY_CODE, at), challenge: null };
      await atHome((tx) => stepUps.save(tx, proof));
      return proof;
    };

    it('finds an inserted step-up, whole, in its tenant alone', async () => {
      const stepUp = await kept();
      expect(await found(stepUp.id)).toEqual(stepUp);
      expect(await atHome((tx) => stepUps.lock(tx, stepUp.id))).toEqual(stepUp);
      expect(await found(newId<StepUpId>())).toBeNull();
      expect(await world.uow.run(world.other.tenantId, (tx) => stepUps.find(tx, stepUp.id))).toBeNull();
    });

    it('lets one transaction at a time hold a step-up', async () => {
      const { id } = await kept();
      expect(await waitsBehind(world, (tx) => stepUps.lock(tx, id))).toBe(true);
    });

    it("forgets the person's others that expired without a proof", async () => {
      const { admin } = world.home;
      const [late, open] = [await kept(), await kept({ expiresAt: 900_001 })];
      const theirs = await kept({}, admin);
      const proof = await provedAt(await kept(), 11_000);
      await kept({ createdAt: 900_000, expiresAt: 999_000 });
      expect(await found(late.id)).toBeNull();
      expect(await found(open.id)).toEqual(open);
      expect(await found(theirs.id)).toEqual(theirs);
      expect(await found(proof.id)).toEqual(proof);
    });

    it('spends a challenge, and nothing else', async () => {
      const stepUp = await kept();
      await atHome((tx) => stepUps.spendChallenge(tx, stepUp.id));
      expect(await found(stepUp.id)).toEqual({ ...stepUp, challenge: null });
    });

    it('is proved, and then used, and never again proved (CS002)', async () => {
      const proof = await provedAt(await kept(), 12_000);
      expect(await found(proof.id)).toEqual(proof);
      const used = { ...proof, state: 'used', usedAt: 13_000 } as const;
      await atHome((tx) => stepUps.save(tx, used));
      expect(await found(proof.id)).toEqual(used);
      await expect(atHome((tx) => stepUps.save(tx, proof))).rejects.toMatchObject({ code: 'CS002' });
    });

    it('is not used before it is proved (CS002)', async () => {
      const proof = proved(await kept(), BY_CODE, 12_000);
      const used = { ...proof, state: 'used', usedAt: 13_000 } as const;
      await expect(atHome((tx) => stepUps.save(tx, used))).rejects.toMatchObject({ code: 'CS002' });
    });

    it('expires the unused proofs of a person, and leaves the rest as it is', async () => {
      const { owner, admin } = world.home;
      const [proof, earlier] = [await provedAt(await kept(), 20_000), await provedAt(await kept(), 14_000)];
      const open = await kept();
      const theirs = await provedAt(await kept({}, admin), 20_000);
      const at = earlier.proofExpiresAt;
      await atHome((tx) => stepUps.expireProofs(tx, owner.personId, at));
      expect(await found(proof.id)).toEqual({ ...proof, proofExpiresAt: at });
      expect(await found(earlier.id)).toEqual(earlier);
      expect(await found(open.id)).toEqual(open);
      expect(await found(theirs.id)).toEqual(theirs);
    });
  });
}
