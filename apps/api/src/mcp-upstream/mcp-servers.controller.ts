import { Body, Controller, Get, Param, Post, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { z } from 'zod';
import {
  mcpAcceptanceSchema,
  mcpServerListSchema,
  mcpServerSchema,
  mcpToolNameSchema,
  toolChangePlanSchema,
  type ChangeRequestView,
  type McpAcceptanceBody,
  type McpServerView,
  type ToolChangePlan,
} from '#lib/api-schemas';
import { ReadChanges } from '#lib/change-request';
import { environmentNameSchema, executorNameSchema, PLATFORM_ADMIN } from '#lib/formats';
import type { PersonPrincipal } from '#lib/kernel';
import { AcceptDefinition, LookAtServer, ReadServers } from '#lib/mcp-upstream';
import { Answers, CurrentPerson, MayWait, RequireRole, RequireScope, Summary, unwrap } from '../http/index.js';
import { GuardedAnswers } from '../change-request/guarded-answers.js';
import { changePlanView } from '../tool/views.js';
import { mcpServerView } from './mcp-server-view.js';
import { waitingAcceptances } from './waiting-acceptances.js';

@ApiTags('MCP servers')
@Controller('v1/mcp-servers')
export class McpServersController {
  constructor(
    private readonly reading: ReadServers,
    private readonly looking: LookAtServer,
    private readonly accepting: AcceptDefinition,
    private readonly answers: GuardedAnswers,
    private readonly changes: ReadChanges,
  ) {}

  @Summary('The upstream MCP servers, which are executors of kind mcp, with the tools that each lists.')
  @Get()
  @RequireScope('admin')
  @RequireRole(PLATFORM_ADMIN)
  @Answers(200, mcpServerListSchema)
  async list(@CurrentPerson() by: PersonPrincipal): Promise<z.infer<typeof mcpServerListSchema>> {
    const waiting = await waitingAcceptances(this.changes, by);
    return { items: (await this.reading.all(by)).map((server) => mcpServerView(server, waiting)) };
  }

  @Summary('One upstream MCP server, with each definition beside the accepted one.')
  @Get(':environment/:name')
  @RequireScope('admin')
  @RequireRole(PLATFORM_ADMIN)
  @Answers(200, mcpServerSchema)
  async get(
    @CurrentPerson() by: PersonPrincipal,
    @Param('environment', { schema: environmentNameSchema }) environment: string,
    @Param('name', { schema: executorNameSchema }) name: string,
  ): Promise<McpServerView> {
    return this.#view(by, environment, name);
  }

  @Summary('Reads the tools of an upstream MCP server now. It is also done every five minutes.')
  @Post(':environment/:name/look')
  @RequireScope('admin')
  @RequireRole(PLATFORM_ADMIN)
  @Answers(200, mcpServerSchema)
  async look(
    @CurrentPerson() by: PersonPrincipal,
    @Param('environment', { schema: environmentNameSchema }) environment: string,
    @Param('name', { schema: executorNameSchema }) name: string,
  ): Promise<McpServerView> {
    unwrap(await this.looking.ask(by, environment, name));
    return this.#view(by, environment, name);
  }

  @Summary('Accepts the definition of a tool, with the risk that you assign. It waits for a second person.')
  @Post(':environment/:name/tools/:tool/accept')
  @RequireScope('admin')
  @RequireRole(PLATFORM_ADMIN)
  @Answers(200, toolChangePlanSchema)
  @MayWait()
  async accept(
    @CurrentPerson() by: PersonPrincipal,
    @Param('environment', { schema: environmentNameSchema }) environment: string,
    @Param('name', { schema: executorNameSchema }) server: string,
    @Param('tool', { schema: mcpToolNameSchema }) tool: string,
    @Body({ schema: mcpAcceptanceSchema }) { digest, ...assigned }: McpAcceptanceBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ToolChangePlan | ChangeRequestView> {
    const accepted = await this.accepting.execute(by, { environment, server, tool, digest }, assigned);
    return this.answers.of(by, reply, unwrap(accepted), changePlanView);
  }

  async #view(by: PersonPrincipal, environment: string, name: string): Promise<McpServerView> {
    const found = unwrap(await this.reading.one(by, environment, name));
    return mcpServerView(found, await waitingAcceptances(this.changes, by));
  }
}
