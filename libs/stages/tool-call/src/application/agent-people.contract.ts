import { newId, type AgentId, type CredentialId, type PersonId, type Tx } from '#lib/kernel';
import type { ContractWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import type { AgentPeople } from './agent-people.port.js';

const MINUTE_MS = 60_000;

export interface OpenAgentPeople {
  readonly world: ContractWorld;
  readonly people: AgentPeople;
  person(): Promise<PersonId>;
  /** An agent of the home tenant for which this person answers. */
  agent(ownerId: PersonId): Promise<AgentId>;
  /** This person answers for the agent from now on. */
  own(agentId: AgentId, ownerId: PersonId): Promise<void>;
  /** A token of the agent that this person made now. @param usedAt epoch milliseconds; null if it was never used. */
  token(agentId: AgentId, madeBy: PersonId, usedAt: number | null): Promise<CredentialId>;
  /** Lets the clock go on. */
  later(): Promise<void>;
}

/** The contract of {@link AgentPeople}. */
export function describeAgentPeople(name: string, open: () => Promise<OpenAgentPeople>): void {
  describe(`${name} keeps the contract of AgentPeople`, () => {
    let opened: OpenAgentPeople;
    beforeAll(async () => {
      opened = await open();
    });
    afterAll(() => opened.world.close());

    const atHome = <T>(work: (tx: Tx) => Promise<T>): Promise<T> =>
      opened.world.uow.run(opened.world.home.tenantId, work);
    const now = () => atHome((tx) => tx.now());
    const behind = (agentId: AgentId, since: number, credentialId = newId<CredentialId>()) =>
      atHome((tx) => opened.people.behind(tx, agentId, since, credentialId));
    const people = async () => [await opened.person(), await opened.person(), await opened.person()] as const;

    it('has the person who answers now, and those who answered since then, the latest first', async () => {
      const [ada, ben, dan] = await people();
      const agentId = await opened.agent(ada);
      await opened.later();
      const atFirst = await now();
      expect(await behind(agentId, atFirst)).toEqual({ ownerId: ada, answerable: [ada] });
      await opened.later();
      await opened.own(agentId, ben);
      await opened.later();
      const later = await now();
      await opened.later();
      await opened.own(agentId, dan);
      expect(await behind(agentId, atFirst)).toEqual({ ownerId: dan, answerable: [dan, ben, ada] });
      expect(await behind(agentId, later)).toEqual({ ownerId: dan, answerable: [dan, ben] });
      await opened.later();
      expect(await behind(agentId, await now())).toEqual({ ownerId: dan, answerable: [dan] });
    });

    it("has the makers of tokens that speak for it: the call's own, and those that were used since then", async () => {
      const [ada, ben, dan] = await people();
      const agentId = await opened.agent(ada);
      const since = (await now()) + 10 * MINUTE_MS;
      const credentialId = await opened.token(agentId, ben, null);
      await opened.later();
      expect(await behind(agentId, since)).toEqual({ ownerId: ada, answerable: [ada] });
      expect(await behind(agentId, since, credentialId)).toEqual({ ownerId: ada, answerable: [ada, ben] });
      await opened.token(agentId, dan, since - 2 * MINUTE_MS);
      expect(await behind(agentId, since)).toEqual({ ownerId: ada, answerable: [ada, dan] });
      expect(await behind(agentId, since + 1)).toEqual({ ownerId: ada, answerable: [ada] });
      expect(await behind(agentId, since, credentialId)).toEqual({ ownerId: ada, answerable: [ada, dan, ben] });
    });

    it('has each person once, and nobody who made a token of another agent', async () => {
      const [ada, ben] = await people();
      const [agentId, another] = [await opened.agent(ada), await opened.agent(ben)];
      const credentialId = await opened.token(agentId, ada, null);
      const foreign = await opened.token(another, ben, await now());
      expect(await behind(agentId, await now(), credentialId)).toEqual({ ownerId: ada, answerable: [ada] });
      expect(await behind(agentId, await now(), foreign)).toEqual({ ownerId: ada, answerable: [ada] });
    });

    it('knows no agent that is not there, or belongs to another tenant', async () => {
      const agentId = await opened.agent((await people())[0]);
      await expect(behind(newId<AgentId>(), 0)).rejects.toThrow('is gone');
      const elsewhere = opened.world.uow.run(opened.world.other.tenantId, (tx) =>
        opened.people.behind(tx, agentId, 0, newId<CredentialId>()),
      );
      await expect(elsewhere).rejects.toThrow('is gone');
    });
  });
}
