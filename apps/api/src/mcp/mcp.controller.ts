import { Controller, Delete, Get, Param, Post, Req, Res, UseFilters } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { actorOf, FailureError, notFound, type Failure, type Principal } from '#lib/kernel';
import { FindTenant, SignInAddresses } from '#lib/sign-in';
import { CurrentPrincipal, endTurn, RequireScope } from '../http/index.js';
import { answerMcp } from './answer-mcp.js';
import { apiCallsOf } from './api-calls.js';
import { McpAddresses } from './mcp-addresses.js';
import { McpProblemFilter } from './mcp-problem.filter.js';
import { mcpServer } from './mcp-server.js';

/**
 * Countersign as an MCP server, one endpoint a tenant. Every request carries its token and stands by itself, so any replica
 * answers it. It is not described in OpenAPI: clients ask the protocol for its tools.
 */
@ApiExcludeController()
@Controller('t/:slug/mcp')
@UseFilters(McpProblemFilter)
export class McpController {
  constructor(
    private readonly tenants: FindTenant,
    private readonly pages: SignInAddresses,
    private readonly addresses: McpAddresses,
  ) {}

  @Post()
  @RequireScope('read')
  post(
    @CurrentPrincipal() by: Principal,
    @Param('slug') slug: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return this.#serve(by, slug, request, reply);
  }

  // Clients of 2025 ask whether there is a stream from the server. There is none: 405.
  @Get()
  @RequireScope('read')
  get(
    @CurrentPrincipal() by: Principal,
    @Param('slug') slug: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return this.#serve(by, slug, request, reply);
  }

  // They end sessions, too. There are none: 405.
  @Delete()
  @RequireScope('read')
  delete(
    @CurrentPrincipal() by: Principal,
    @Param('slug') slug: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return this.#serve(by, slug, request, reply);
  }

  async #serve(by: Principal, slug: string, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    this.#requireProgram(request);
    if ((await this.tenants.execute(slug)) !== by.tenantId) throw new FailureError(notFound('MCP endpoint'));
    // The calls of an array would all run in the one turn that this request gives back.
    if (Array.isArray(request.body)) throw new FailureError(batched);
    // Each route that a tool asks takes a turn of its own. A request that kept its turn could wait for itself.
    endTurn(request);
    const world = { api: apiCallsOf(request), addresses: this.addresses, caller: actorOf(by).id };
    const answer = await answerMcp(request, this.addresses.endpoint(slug), (era) => mcpServer(world, era));
    await reply.send(answer);
  }

  /** A browser's cookie opens nothing here, and neither does a page of another origin. */
  #requireProgram({ headers: { authorization, origin } }: FastifyRequest): void {
    if (authorization === undefined) throw new FailureError(missing);
    if (origin !== undefined && !this.pages.origins.includes(origin)) throw new FailureError(foreignOrigin);
  }
}

const missing: Failure = {
  kind: 'unauthenticated',
  code: 'credential.missing',
  message: 'The request carries no credential.',
  action: 'Send "Authorization: Bearer <token>".',
};

const batched: Failure = {
  kind: 'invalid',
  code: 'mcp.batch_refused',
  message: 'The request holds several messages in an array.',
  action: 'Send each message as a request of its own.',
};

const foreignOrigin: Failure = {
  kind: 'forbidden',
  code: 'request.foreign_origin',
  message: 'This request comes from a web page of another site.',
  action: 'Connect an MCP client instead of a browser.',
};
