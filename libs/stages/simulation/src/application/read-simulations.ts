import {
  err,
  notFound,
  ok,
  type PageRequest,
  type PlanId,
  type Principal,
  type Result,
  type SimulationId,
  type UnitOfWork,
} from '#lib/kernel';
import type { PlanRepository } from '#lib/plan';
import type { DecisionLog, RecordedDecision } from '#lib/policy';
import type { AccuracyRow } from '../domain/outcome.js';
import type { Simulation } from '../domain/simulation.js';
import type { SimulationOutcomeRepository, SimulationRepository } from './simulation.ports.js';

/** A simulation with the decision that let it be asked for. */
export interface ExplainedSimulation {
  readonly simulation: Simulation;
  readonly decision: RecordedDecision | null;
}

/** Reads one simulation of the caller's tenant. */
export class GetSimulation {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly simulations: SimulationRepository,
    private readonly decisions: DecisionLog,
  ) {}

  async execute(principal: Principal, id: SimulationId): Promise<Result<ExplainedSimulation>> {
    return this.uow.run(principal.tenantId, async (tx) => {
      const simulation = await this.simulations.find(tx, id);
      if (simulation === null) return err(notFound('simulation'));
      return ok({ simulation, decision: await this.decisions.find(tx, simulation.decisionId) });
    });
  }
}

/** Reads a plan's simulations, newest first. */
export class ListSimulations {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly plans: PlanRepository,
    private readonly simulations: SimulationRepository,
  ) {}

  async execute(principal: Principal, planId: PlanId, page: PageRequest): Promise<Result<readonly Simulation[]>> {
    return this.uow.run(principal.tenantId, async (tx) => {
      const plan = await this.plans.find(tx, planId);
      return plan === null ? err(notFound('plan')) : ok(await this.simulations.list(tx, planId, page));
    });
  }
}

/** Reads how near predictions came, by tool. */
export class ReadAccuracy {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly outcomes: SimulationOutcomeRepository,
  ) {}

  async execute(principal: Principal): Promise<readonly AccuracyRow[]> {
    return this.uow.run(principal.tenantId, (tx) => this.outcomes.accuracy(tx));
  }
}
