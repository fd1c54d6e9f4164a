import { Body, Controller, Get, Headers, Param, Patch, Post, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { z } from 'zod';
import {
  environmentPageSchema,
  environmentSchema,
  newEnvironmentSchema,
  pageQuerySchema,
  type ChangeRequestView,
  type PageQuery,
} from '#lib/api-schemas';
import { PLATFORM_ADMIN, environmentChangeSchema, uuidSchema } from '#lib/formats';
import { type EnvironmentId, type PersonPrincipal, type Principal, toTimestamp } from '#lib/kernel';
import { ChangeEnvironment, CreateEnvironment, GetEnvironment, ListEnvironments, type Environment } from '#lib/tenancy';
import {
  Answers,
  CurrentPerson,
  CurrentPrincipal,
  decodeCursor,
  etagOf,
  Idempotent,
  MayWait,
  requireIfMatch,
  RequireRole,
  RequireScope,
  Summary,
  toPage,
  unwrap,
} from '../http/index.js';

import { GuardedAnswers } from '../change-request/guarded-answers.js';

type EnvironmentView = z.infer<typeof environmentSchema>;

@ApiTags('Environments')
@Controller('v1/environments')
export class EnvironmentsController {
  constructor(
    private readonly listing: ListEnvironments,
    private readonly getting: GetEnvironment,
    private readonly creating: CreateEnvironment,
    private readonly changing: ChangeEnvironment,
    private readonly answers: GuardedAnswers,
  ) {}

  @Summary('The environments of the tenant, by name.')
  @Get()
  @RequireScope('read')
  @Answers(200, environmentPageSchema)
  async list(
    @CurrentPrincipal() by: Principal,
    @Query({ schema: pageQuerySchema }) query: PageQuery,
  ): Promise<z.infer<typeof environmentPageSchema>> {
    const [name] = decodeCursor('environments', query.cursor) ?? [];
    const afterName = name === undefined ? null : String(name);
    const environments = await this.listing.execute(by.tenantId, { limit: query.limit + 1, afterName });
    return toPage('environments', environments, query.limit, (environment) => [environment.name], environmentView);
  }

  @Summary('An environment; its ETag is its version.')
  @Get(':id')
  @RequireScope('read')
  @Answers(200, environmentSchema)
  async get(
    @CurrentPrincipal() by: Principal,
    @Param('id', { schema: uuidSchema }) id: EnvironmentId,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<EnvironmentView> {
    const environment = unwrap(await this.getting.execute(by.tenantId, id));
    void reply.header('etag', etagOf(String(environment.version)));
    return environmentView(environment);
  }

  @Summary('Adds an environment.')
  @Post()
  @RequireScope('admin')
  @RequireRole(PLATFORM_ADMIN)
  @Idempotent()
  @Answers(201, environmentSchema)
  async create(
    @CurrentPerson() by: PersonPrincipal,
    @Body({ schema: newEnvironmentSchema }) body: z.infer<typeof newEnvironmentSchema>,
  ): Promise<EnvironmentView> {
    return environmentView(unwrap(await this.creating.execute(by, body)));
  }

  @Summary(
    'Switches whether an environment counts as production; clearing it waits for a second person. Takes its ETag as If-Match.',
  )
  @Patch(':id')
  @RequireScope('admin')
  @RequireRole(PLATFORM_ADMIN)
  @Answers(200, environmentSchema)
  @MayWait()
  async change(
    @CurrentPerson() by: PersonPrincipal,
    @Param('id', { schema: uuidSchema }) id: EnvironmentId,
    @Headers('if-match') ifMatch: string | undefined,
    @Body({ schema: environmentChangeSchema }) body: z.infer<typeof environmentChangeSchema>,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<EnvironmentView | ChangeRequestView> {
    const requireCurrent = (version: number): void => {
      requireIfMatch(ifMatch, etagOf(String(version)));
    };
    const changed = unwrap(await this.changing.execute(by, id, body.production, requireCurrent));
    return this.answers.of(by, reply, changed, (environment) => {
      void reply.header('etag', etagOf(String(environment.version)));
      return environmentView(environment);
    });
  }
}

const environmentView = (environment: Environment): EnvironmentView => ({
  id: environment.id,
  name: environment.name,
  production: environment.production,
  version: environment.version,
  created_at: toTimestamp(environment.createdAt),
  updated_at: toTimestamp(environment.updatedAt),
});
