import { Body, Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { agentErrorSchema, type AgentErrorBody } from '#lib/api-schemas';
import type { Principal } from '#lib/kernel';
import { ReportAgentError } from '#lib/lifecycle-hook';
import { AnswersNothing, CurrentPrincipal, Idempotent, RequireScope, Summary, unwrap } from '../http/index.js';

@ApiTags('Lifecycle hooks')
@Controller('v1/agent-errors')
export class AgentErrorsController {
  constructor(private readonly reporting: ReportAgentError) {}

  @Summary('Reports an error of the agent. Hooks of agent.error take it from the log; nothing is decided by it.')
  @Post()
  @Idempotent()
  @RequireScope('run')
  @AnswersNothing()
  async report(
    @CurrentPrincipal() by: Principal,
    @Body({ schema: agentErrorSchema }) body: AgentErrorBody,
  ): Promise<void> {
    unwrap(await this.reporting.execute(by, { error: body.error, tool: body.tool ?? null }));
  }
}
