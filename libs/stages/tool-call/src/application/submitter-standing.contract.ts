import { newId, type AgentId, type CredentialId, type PersonId, type TenantId } from '#lib/kernel';
import type { Submitter } from '#lib/task';
import type { ContractWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import type { SubmitterStanding } from './submitter-standing.port.js';

export interface OpenStanding {
  readonly world: ContractWorld;
  readonly standing: SubmitterStanding;
  /** Disables an agent or a person of the home tenant, or lets them act again. */
  disable(id: AgentId | PersonId, disabled: boolean): Promise<void>;
}

/** The contract of {@link SubmitterStanding}. */
export function describeSubmitterStanding(name: string, open: () => Promise<OpenStanding>): void {
  describe(`${name} keeps the contract of SubmitterStanding`, () => {
    let opened: OpenStanding;
    beforeAll(async () => {
      opened = await open();
    });
    afterAll(() => opened.world.close());

    /** Whether each is disabled: the agent by itself, for the admin, the admin and the owner of the agent. */
    const disabled = async (tenantId?: TenantId): Promise<readonly boolean[]> => {
      const { agent, owner, admin } = opened.world.home;
      const credentialId = newId<CredentialId>();
      const byAgent: Submitter = { kind: 'agent', id: agent.agentId, onBehalfOf: null, credentialId };
      const submitters: readonly Submitter[] = [
        byAgent,
        { ...byAgent, onBehalfOf: admin.personId },
        { kind: 'person', id: admin.personId, onBehalfOf: null, credentialId },
        { kind: 'person', id: owner.personId, onBehalfOf: null, credentialId },
      ];
      return opened.world.uow.run(tenantId ?? opened.world.home.tenantId, async (tx) => {
        const found: boolean[] = [];
        for (const submitter of submitters) found.push(await opened.standing.isDisabled(tx, submitter));
        return found;
      });
    };
    const NOBODY = [false, false, false, false];

    it('nobody is disabled at first', async () => {
      expect(await disabled()).toEqual(NOBODY);
    });

    it.each<[string, (home: ContractWorld['home']) => AgentId | PersonId, readonly boolean[]]>([
      ['itself', ({ agent }) => agent.agentId, [true, true, false, false]],
      ['its owner', ({ owner }) => owner.personId, [true, true, false, true]],
      ['the person it acts for', ({ admin }) => admin.personId, [false, true, true, false]],
    ])('T17: an agent is disabled by %s, until they act again', async (_who, whose, expected) => {
      const id = whose(opened.world.home);
      await opened.disable(id, true);
      expect(await disabled()).toEqual(expected);
      expect(await disabled(opened.world.other.tenantId)).toEqual(NOBODY);
      await opened.disable(id, false);
      expect(await disabled()).toEqual(NOBODY);
    });
  });
}
