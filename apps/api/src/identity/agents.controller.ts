import { Body, Controller, Get, Param, Patch, Post, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { z } from 'zod';
import {
  agentChangeSchema,
  agentPageSchema,
  agentReviewersSchema,
  agentSchema,
  mintedTokenSchema,
  newAgentSchema,
  newTokenSchema,
  pageQuerySchema,
  type AgentReviewersView,
  type ChangeRequestView,
  type PageQuery,
} from '#lib/api-schemas';
import { PLATFORM_ADMIN, uuidSchema } from '#lib/formats';
import { CountReviewers } from '#lib/approval';
import { ChangeAgent, MintAgentCredential, ReadIdentity, RegisterAgent } from '#lib/identity';
import type { AgentId, PersonId, PersonPrincipal, Principal } from '#lib/kernel';
import {
  Answers,
  CurrentPerson,
  CurrentPrincipal,
  Idempotent,
  IdempotentWithSecretAnswer,
  MayWait,
  RequirePerson,
  RequireRole,
  RequireScope,
  toPage,
  unwrap,
  Summary,
} from '../http/index.js';
import { reviewerCountView } from '../approval/approval-views.js';
import { GuardedAnswers } from '../change-request/guarded-answers.js';
import { listAfter } from './list-after.js';
import { agentView, mintedTokenView } from './views.js';

type AgentView = z.infer<typeof agentSchema>;

@ApiTags('Agents')
@Controller('v1/agents')
export class AgentsController {
  constructor(
    private readonly identity: ReadIdentity,
    private readonly registering: RegisterAgent,
    private readonly changing: ChangeAgent,
    private readonly minting: MintAgentCredential,
    private readonly counting: CountReviewers,
    private readonly answers: GuardedAnswers,
  ) {}

  @Summary('Registers an agent with the person who answers for it.')
  @Post()
  @RequireScope('admin')
  @RequireRole(PLATFORM_ADMIN)
  @Idempotent()
  @Answers(201, agentSchema)
  async register(
    @CurrentPerson() by: PersonPrincipal,
    @Body({ schema: newAgentSchema }) body: z.infer<typeof newAgentSchema>,
  ): Promise<AgentView> {
    // The schema of the body has checked the form of the id.
    const wanted = { name: body.name, description: body.description, ownerId: body.owner_id as PersonId };
    return agentView(unwrap(await this.registering.execute(by, wanted)));
  }

  @Summary('The agents of the tenant.')
  @Get()
  @RequireScope('read')
  @Answers(200, agentPageSchema)
  async list(
    @CurrentPrincipal() by: Principal,
    @Query({ schema: pageQuerySchema }) query: PageQuery,
  ): Promise<z.infer<typeof agentPageSchema>> {
    const agents = await this.identity.agents(by.tenantId, listAfter('agents', query));
    return toPage('agents', agents, query.limit, ({ id }) => [id], agentView);
  }

  @Summary('An agent.')
  @Get(':id')
  @RequireScope('read')
  @Answers(200, agentSchema)
  async get(@CurrentPrincipal() by: Principal, @Param('id', { schema: uuidSchema }) id: AgentId): Promise<AgentView> {
    return agentView(unwrap(await this.identity.agent(by.tenantId, id)));
  }

  @Summary(
    'The people who could approve requests of the agent in production, one vote a seat, and whether they are enough.',
  )
  @Get(':id/reviewers')
  @RequireScope('read')
  @Answers(200, agentReviewersSchema)
  async reviewers(
    @CurrentPrincipal() by: Principal,
    @Param('id', { schema: uuidSchema }) id: AgentId,
  ): Promise<AgentReviewersView> {
    const counted = unwrap(await this.counting.ofAgent(by, id));
    return {
      items: counted.map((one) => ({ ...reviewerCountView(one), environment: one.environment, tool: one.tool })),
    };
  }

  @Summary(
    'Renames an agent, disables or enables it; handed to another accountable person, it waits for a second person.',
  )
  @Patch(':id')
  @RequireScope('admin')
  @RequireRole(PLATFORM_ADMIN)
  @Answers(200, agentSchema)
  @MayWait()
  async change(
    @CurrentPerson() by: PersonPrincipal,
    @Param('id', { schema: uuidSchema }) id: AgentId,
    @Body({ schema: agentChangeSchema }) body: z.infer<typeof agentChangeSchema>,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<AgentView | ChangeRequestView> {
    const change = {
      name: body.name,
      description: body.description,
      // The schema of the body has checked the form of the id.
      ownerId: body.owner_id as PersonId | undefined,
      disabled: body.disabled,
    };
    return this.answers.of(by, reply, unwrap(await this.changing.execute(by, id, change)), agentView);
  }

  @Summary('Mints a token of the agent’s: by its owner, or a PlatformAdmin with the scope admin.')
  @Post(':id/tokens')
  @RequireScope('read')
  @RequirePerson()
  @IdempotentWithSecretAnswer()
  @Answers(201, mintedTokenSchema, 'The token, shown this once.')
  async token(
    @CurrentPerson() by: PersonPrincipal,
    @Param('id', { schema: uuidSchema }) id: AgentId,
    @Body({ schema: newTokenSchema }) body: z.infer<typeof newTokenSchema>,
  ): Promise<z.infer<typeof mintedTokenSchema>> {
    const wanted = { agentId: id, name: body.name, scopes: body.scopes, expiresInDays: body.expires_in_days };
    return mintedTokenView(unwrap(await this.minting.token(by, wanted)));
  }

  @Summary('Issues a credential with which the agent acts on behalf of the caller, for at most 30 days.')
  @Post(':id/delegations')
  @RequireScope('read')
  @RequirePerson()
  @IdempotentWithSecretAnswer()
  @Answers(201, mintedTokenSchema, 'The token, shown this once.')
  async delegate(
    @CurrentPerson() by: PersonPrincipal,
    @Param('id', { schema: uuidSchema }) id: AgentId,
    @Body({ schema: newTokenSchema }) body: z.infer<typeof newTokenSchema>,
  ): Promise<z.infer<typeof mintedTokenSchema>> {
    const wanted = { agentId: id, name: body.name, scopes: body.scopes, expiresInDays: body.expires_in_days };
    return mintedTokenView(unwrap(await this.minting.delegation(by, wanted)));
  }
}
