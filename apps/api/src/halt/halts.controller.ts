import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { z } from 'zod';
import {
  createHaltSchema,
  haltListSchema,
  haltQuerySchema,
  haltSchema,
  liftHaltSchema,
  type CreateHaltBody,
  type HaltQuery,
  type HaltView,
} from '#lib/api-schemas';
import { LIFTING_ROLES, uuidSchema } from '#lib/formats';
import { LiftHalt, ReadHalts, SetHalt, type Halt } from '#lib/halt';
import { type HaltId, type Principal, toTimestamp } from '#lib/kernel';
import {
  Answers,
  CurrentPrincipal,
  Emergency,
  Idempotent,
  pageAfter,
  RequirePerson,
  RequireRole,
  RequireScope,
  Summary,
  toPage,
  unwrap,
} from '../http/index.js';

@ApiTags('Halts')
@Controller('v1/halts')
export class HaltsController {
  constructor(
    private readonly setting: SetHalt,
    private readonly lifting: LiftHalt,
    private readonly reading: ReadHalts,
  ) {}

  @Summary(
    'Stops the tenant, an environment, an agent or a tool at once. Answers with the calls that had already left.',
  )
  @Post()
  @RequireScope('halt')
  @Emergency()
  @Idempotent()
  @Answers(201, haltSchema)
  async set(
    @CurrentPrincipal() by: Principal,
    @Body({ schema: createHaltSchema }) body: CreateHaltBody,
  ): Promise<HaltView> {
    return haltView(unwrap(await this.setting.execute(by, body)));
  }

  @Summary('Halts, newest first; with `active` only those in force, or only those lifted.')
  @Get()
  @RequireScope('read')
  @Answers(200, haltListSchema)
  async list(
    @CurrentPrincipal() by: Principal,
    @Query({ schema: haltQuerySchema }) query: HaltQuery,
  ): Promise<z.infer<typeof haltListSchema>> {
    const active = query.active === undefined ? null : query.active === 'true';
    const halts = await this.reading.list(by.tenantId, { ...pageAfter('halts', query), active });
    return toPage('halts', halts, query.limit, ({ createdAt, id }) => [createdAt, id], haltView);
  }

  @Summary('A halt, and the work that it found when it was set.')
  @Get(':id')
  @RequireScope('read')
  @Answers(200, haltSchema)
  async get(@CurrentPrincipal() by: Principal, @Param('id', { schema: uuidSchema }) id: HaltId): Promise<HaltView> {
    return haltView(unwrap(await this.reading.get(by.tenantId, id)));
  }

  @Summary('Lifts a halt. Runs that it paused stay paused until somebody resumes them.')
  @Post(':id/lift')
  @RequireScope('halt')
  @RequirePerson()
  @RequireRole(...LIFTING_ROLES)
  @Answers(200, haltSchema)
  async lift(
    @CurrentPrincipal() by: Principal,
    @Param('id', { schema: uuidSchema }) id: HaltId,
    @Body({ schema: liftHaltSchema }) body: z.infer<typeof liftHaltSchema>,
  ): Promise<HaltView> {
    return haltView(unwrap(await this.lifting.execute(by, id, body.note)));
  }
}

function haltView({ id, target, reason, effect, createdAt, createdBy, lifted }: Halt): HaltView {
  return {
    id,
    kind: target.kind,
    environment: target.kind === 'environment' ? { id: target.environmentId, name: target.environment } : null,
    agent_id: target.kind === 'agent' ? target.agentId : null,
    tool: target.kind === 'tool' ? target.tool : null,
    reason,
    active: lifted === null,
    created_at: toTimestamp(createdAt),
    created_by: createdBy,
    lifted_at: lifted === null ? null : toTimestamp(lifted.at),
    lifted_by: lifted?.by ?? null,
    lift_note: lifted?.note ?? null,
    effect: {
      paused_runs: [...effect.pausedRuns],
      revoked_grants: effect.revokedGrants,
      denied_calls: [...effect.deniedCalls],
      in_flight: effect.inFlight.map((call) => ({ ...call, targets: [...call.targets] })),
    },
  };
}
