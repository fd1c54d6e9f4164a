import { newId, type PersonId, type TenantId, type UnitOfWork } from '#lib/kernel';
import type { PolicyDecisionPoint } from '#lib/policy';
import type { Decision } from '#lib/formats';
import type { Entrypoint, PolicyInput } from '#lib/policy-inputs';
import { agentsIn, groupsForReaders, mergeGroups, type ImpactGroup } from '../domain/groups.js';
import type { ImpactReport } from '../domain/impact-report.js';
import type { LatticeCell } from '../domain/lattice.js';
import type { WorldChange } from '../domain/world.js';
import { newReport } from './ask-impact.js';
import type { ImpactBatches, SidePolicies } from './impact-batches.js';
import type { AgentNames } from './impact.ports.js';
import type { NamedReport } from './read-impact.js';

const NOTHING_MOVES: WorldChange = { tools: {}, environments: {}, safeTools: {} };

/** Policies that are not in force. */
export interface OtherPolicies {
  readonly bundleRevision: string;
  evaluate<E extends Entrypoint>(entrypoint: E, input: PolicyInput<E>): Decision;
}

/** The impact of other policies, for an operator before an upgrade. The report is kept nowhere. */
export class ImpactOfPolicies {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly batches: Pick<ImpactBatches, 'begin' | 'next'>,
    private readonly policy: Pick<PolicyDecisionPoint, 'evaluate'>,
    private readonly agents: AgentNames,
  ) {}

  /** @param tell is told of the report after each batch. */
  async execute(
    tenantId: TenantId,
    other: OtherPolicies,
    days: number,
    tell: (report: ImpactReport) => void,
  ): Promise<NamedReport> {
    const policies: SidePolicies = {
      evaluate: (side, entrypoint, input) =>
        // An input as it was stored: the policy refuses one of a wrong shape.
        (side === 'before' ? this.policy : other).evaluate(entrypoint, input as PolicyInput<Entrypoint>),
      everything: true,
    };
    const cells: LatticeCell[] = [];
    let groups: readonly ImpactGroup[] = [];
    let report = await this.uow.run(tenantId, async (tx) => {
      const asked = newReport(newId<PersonId>(), await tx.now(), days, { change: NOTHING_MOVES });
      return this.batches.begin(tx, { ...asked, bundleRevision: other.bundleRevision }, NOTHING_MOVES);
    });
    while (report.finishedAt === null) {
      const last = report;
      const batch = await this.uow.run(tenantId, (tx) => this.batches.next(tx, last, NOTHING_MOVES, policies));
      report = batch.report;
      cells.push(...batch.found.cells);
      groups = mergeGroups([...groups, ...batch.found.groups]);
      tell(report);
    }
    const found = groupsForReaders(groups);
    const agents = await this.uow.run(tenantId, (tx) => this.agents.names(tx, agentsIn(found)));
    return { report, agents, cells, groups: found, outdated: false };
  }
}
