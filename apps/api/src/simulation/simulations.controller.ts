import { Controller, Get, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { z } from 'zod';
import { LocateAutonomyLine } from '#lib/autonomy';
import {
  explainedSimulationSchema,
  pageQuerySchema,
  simulationAccuracySchema,
  simulationPageSchema,
  type ExplainedSimulationView,
  type PageQuery,
  type SimulationAccuracyView,
} from '#lib/api-schemas';
import { uuidSchema } from '#lib/formats';
import type { PlanId, Principal, SimulationId } from '#lib/kernel';
import { GetSimulation, ListSimulations, ReadAccuracy, StartSimulation } from '#lib/simulation';
import {
  Answers,
  CurrentPrincipal,
  Idempotent,
  pageAfter,
  RequireScope,
  Summary,
  toPage,
  unwrap,
} from '../http/index.js';
import { accuracyView, explainedSimulationView, simulationView } from './simulation-views.js';

@ApiTags('Simulations')
@Controller('v1')
export class SimulationsController {
  constructor(
    private readonly starting: StartSimulation,
    private readonly reading: GetSimulation,
    private readonly listing: ListSimulations,
    private readonly accuracies: ReadAccuracy,
    private readonly autonomyLines: LocateAutonomyLine,
  ) {}

  @Summary('Asks for a prediction of the effects of a plan. Read the simulation until it has a result.')
  @Post('plans/:id/simulations')
  @RequireScope('submit')
  @Idempotent()
  @Answers(202, explainedSimulationSchema)
  async start(
    @CurrentPrincipal() by: Principal,
    @Param('id', { schema: uuidSchema }) planId: PlanId,
  ): Promise<ExplainedSimulationView> {
    const started = unwrap(await this.starting.execute(by, planId));
    const { decision, autonomyRevisionId } = started;
    const decided = { decision: decision.decision, autonomyRevisionId };
    return explainedSimulationView(started, await this.autonomyLines.ofRevision(by.tenantId, decided));
  }

  @Summary('The simulations of a plan, newest first.')
  @Get('plans/:id/simulations')
  @RequireScope('read')
  @Answers(200, simulationPageSchema)
  async list(
    @CurrentPrincipal() by: Principal,
    @Param('id', { schema: uuidSchema }) planId: PlanId,
    @Query({ schema: pageQuerySchema }) query: PageQuery,
  ): Promise<z.infer<typeof simulationPageSchema>> {
    const simulations = unwrap(await this.listing.execute(by, planId, pageAfter('simulations', query)));
    return toPage('simulations', simulations, query.limit, ({ createdAt, id }) => [createdAt, id], simulationView);
  }

  // Before the route of one simulation, which would take the word for an id.
  @Summary('Predictions beside actual results, by tool.')
  @Get('simulations/accuracy')
  @RequireScope('read')
  @Answers(200, simulationAccuracySchema)
  async accuracy(@CurrentPrincipal() by: Principal): Promise<SimulationAccuracyView> {
    return accuracyView(await this.accuracies.execute(by));
  }

  @Summary('A simulation, its prediction, and the decision that allowed it.')
  @Get('simulations/:id')
  @RequireScope('read')
  @Answers(200, explainedSimulationSchema)
  async get(
    @CurrentPrincipal() by: Principal,
    @Param('id', { schema: uuidSchema }) id: SimulationId,
  ): Promise<ExplainedSimulationView> {
    const explained = unwrap(await this.reading.execute(by, id));
    return explainedSimulationView(explained, await this.autonomyLines.execute(by.tenantId, explained.decision));
  }
}
