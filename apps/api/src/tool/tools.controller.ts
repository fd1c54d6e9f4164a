import { Body, Controller, Delete, Get, Param, Put, Query, Res } from '@nestjs/common';
import { ApiConsumes, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import {
  dryRunQuerySchema,
  toolChangePlanSchema,
  toolHistorySchema,
  toolListSchema,
  type ChangeRequestView,
  type DryRunQuery,
  type ToolChangePlan,
} from '#lib/api-schemas';
import { PLATFORM_ADMIN, toolCatalogSchema, toolDocumentSchema, toolNameSchema, type ToolDocument } from '#lib/formats';
import { FailureError, type PersonPrincipal, type Principal } from '#lib/kernel';
import { ChangeCatalog, ReadRegistry } from '#lib/tool';
import {
  Answers,
  CurrentPerson,
  CurrentPrincipal,
  MayWait,
  RequireRole,
  RequireScope,
  Summary,
  unwrap,
} from '../http/index.js';
import { GuardedAnswers } from '../change-request/guarded-answers.js';
import { readCatalog } from './catalog-body.js';
import { changePlanView, toolView } from './views.js';

/** Text is YAML; anything else is checked against the contract once it is known which of both it is. */
const catalogBodySchema = z.union([toolCatalogSchema, z.string(), z.unknown()]);

@ApiTags('Tools')
@Controller('v1/tools')
export class ToolsController {
  constructor(
    private readonly reading: ReadRegistry,
    private readonly changing: ChangeCatalog,
    private readonly answers: GuardedAnswers,
  ) {}

  @Summary('Every tool that counts now, with its definition.')
  @Get()
  @RequireScope('read')
  @Answers(200, toolListSchema)
  async list(@CurrentPrincipal() by: Principal): Promise<z.infer<typeof toolListSchema>> {
    return { tools: (await this.reading.list(by)).map(toolView) };
  }

  @Summary(
    'Makes the tools of the tenant exactly those of a catalog, as YAML or JSON; tools that it leaves out are removed.',
  )
  @Put()
  @RequireScope('admin')
  @RequireRole(PLATFORM_ADMIN)
  @ApiConsumes('application/json', 'application/yaml')
  @Answers(200, toolChangePlanSchema, 'What changed; with dry_run=true, what would change.')
  @MayWait()
  async apply(
    @CurrentPerson() by: PersonPrincipal,
    @Body({ schema: catalogBodySchema }) body: unknown,
    @Query({ schema: dryRunQuerySchema }) query: DryRunQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ToolChangePlan | ChangeRequestView> {
    const catalog = unwrap(readCatalog(body));
    const result = await this.changing.execute(by, catalog.tools, { keep: 'others_go', dryRun: query.dry_run });
    if (!result.ok)
      throw new FailureError({ ...result.error, ...located(result.error.errors, (errors) => catalog.locate(errors)) });
    return this.answers.of(by, reply, result.value, (plan) => changePlanView(plan, (errors) => catalog.locate(errors)));
  }

  @Summary('A tool with every version it had, newest first.')
  @Get(':name')
  @RequireScope('read')
  @Answers(200, toolHistorySchema)
  async get(
    @CurrentPrincipal() by: Principal,
    @Param('name', { schema: toolNameSchema }) name: string,
  ): Promise<z.infer<typeof toolHistorySchema>> {
    const { removed, versions } = unwrap(await this.reading.history(by, name));
    return { name, removed, versions: versions.map(toolView) };
  }

  @Summary('Registers a tool, or a new version of it. Refused if it loosens a tool that live plans hold.')
  @Put(':name')
  @RequireScope('admin')
  @RequireRole(PLATFORM_ADMIN)
  @Answers(200, toolChangePlanSchema)
  @MayWait()
  async put(
    @CurrentPerson() by: PersonPrincipal,
    @Param('name', { schema: toolNameSchema }) name: string,
    @Body({ schema: toolDocumentSchema }) body: ToolDocument,
    @Query({ schema: dryRunQuerySchema }) query: DryRunQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ToolChangePlan | ChangeRequestView> {
    const options = { keep: 'others_stay', dryRun: query.dry_run, at: () => '' } as const;
    const changed = unwrap(await this.changing.execute(by, new Map([[name, body]]), options));
    return this.answers.of(by, reply, changed, (plan) => changePlanView(plan));
  }

  @Summary('Removes a tool; its versions stay for plans and evidence. Refused while live plans hold it.')
  @Delete(':name')
  @RequireScope('admin')
  @RequireRole(PLATFORM_ADMIN)
  @Answers(200, toolChangePlanSchema)
  async remove(
    @CurrentPerson() by: PersonPrincipal,
    @Param('name', { schema: toolNameSchema }) name: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ToolChangePlan | ChangeRequestView> {
    const removed = unwrap(await this.changing.remove(by, name));
    return this.answers.of(by, reply, removed, (plan) => changePlanView(plan));
  }
}

const located = <Error>(errors: readonly Error[] | undefined, locate: (errors: readonly Error[]) => readonly Error[]) =>
  errors === undefined ? {} : { errors: locate(errors) };
