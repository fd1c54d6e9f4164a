import type { ContractWorld, SampleTenant } from '../../../../foundation/kernel/src/fake-tenant.js';
import type { AgentReports } from './agent-reports.ports.js';

export interface OpenReports {
  readonly world: ContractWorld;
  readonly reports: AgentReports;
  /** A minute goes by for what was counted. */
  minutePasses(): Promise<void>;
}

/** The contract of {@link AgentReports}. */
export function describeAgentReports(name: string, open: () => Promise<OpenReports>): void {
  describe(`${name} keeps the contract of AgentReports`, () => {
    let opened: OpenReports;
    beforeAll(async () => {
      opened = await open();
    });
    afterAll(() => opened.world.close());

    const count = ({ tenantId, agent }: SampleTenant): Promise<boolean> =>
      opened.world.uow.run(tenantId, (tx) => opened.reports.count(tx, agent.agentId, 2));

    it('counts as many reports of each agent in a minute as it may make, and begins anew with the next', async () => {
      const { home, other } = opened.world;
      const round = async () => [await count(home), await count(home), await count(home)];
      let counted = await round();
      // The third one began another minute: a second round has the rest of it.
      if (counted.at(-1) === true) counted = await round();
      expect([counted.at(0), counted.at(-1)]).toEqual([true, false]);
      expect(await count(other)).toBe(true);
      await opened.minutePasses();
      expect(await count(home)).toBe(true);
    });
  });
}
