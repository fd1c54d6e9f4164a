import { Body, Controller, Header, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { z } from 'zod';
import { BuildEvidencePack, type EvidenceSubject } from '#lib/audit';
import { evidencePackSchema, evidenceRequestSchema } from '#lib/api-schemas';
import { uuidSchema } from '#lib/formats';
import {
  actorOf,
  type AutomationRunId,
  type ChangeRequestId,
  type PlanId,
  type Principal,
  type SessionId,
} from '#lib/kernel';
import { Answers, CurrentPrincipal, RequireScope, Summary, unwrap } from '../http/index.js';

@ApiTags('Audit')
@Controller('v1')
export class EvidenceController {
  constructor(private readonly packs: BuildEvidencePack) {}

  @Summary('The proof of the plan, its decisions, approvals and calls, as one file that is checked offline.')
  @Post('plans/:id/evidence')
  @RequireScope('audit')
  @Header('content-type', 'application/json; charset=utf-8')
  @Answers(200, evidencePackSchema, 'The pack, canonical JSON; keep it byte for byte.')
  async assemble(
    @CurrentPrincipal() caller: Principal,
    @Param('id', { schema: uuidSchema }) planId: PlanId,
    @Body({ schema: evidenceRequestSchema }) body: z.infer<typeof evidenceRequestSchema>,
  ): Promise<string> {
    return this.#pack(caller, { type: 'plan', id: planId }, body.held);
  }

  @Summary('The proof of a change, its author, its confirmation and its actions, as one file.')
  @Post('change-requests/:id/evidence')
  @RequireScope('audit')
  @Header('content-type', 'application/json; charset=utf-8')
  @Answers(200, evidencePackSchema, 'The pack, canonical JSON; keep it byte for byte.')
  async assembleChange(
    @CurrentPrincipal() caller: Principal,
    @Param('id', { schema: uuidSchema }) changeId: ChangeRequestId,
    @Body({ schema: evidenceRequestSchema }) body: z.infer<typeof evidenceRequestSchema>,
  ): Promise<string> {
    return this.#pack(caller, { type: 'change_request', id: changeId }, body.held);
  }

  @Summary('The proof of a session of agents: its calls, decisions and answers, as one file.')
  @Post('sessions/:id/evidence')
  @RequireScope('audit')
  @Header('content-type', 'application/json; charset=utf-8')
  @Answers(200, evidencePackSchema, 'The pack, canonical JSON; keep it byte for byte.')
  async assembleSession(
    @CurrentPrincipal() caller: Principal,
    @Param('id', { schema: uuidSchema }) sessionId: SessionId,
    @Body({ schema: evidenceRequestSchema }) body: z.infer<typeof evidenceRequestSchema>,
  ): Promise<string> {
    return this.#pack(caller, { type: 'session', id: sessionId }, body.held);
  }

  @Summary('The proof of a run of an automation: its steps, calls and decisions, as one file.')
  @Post('automation-runs/:id/evidence')
  @RequireScope('audit')
  @Header('content-type', 'application/json; charset=utf-8')
  @Answers(200, evidencePackSchema, 'The pack, canonical JSON; keep it byte for byte.')
  async assembleAutomationRun(
    @CurrentPrincipal() caller: Principal,
    @Param('id', { schema: uuidSchema }) runId: AutomationRunId,
    @Body({ schema: evidenceRequestSchema }) body: z.infer<typeof evidenceRequestSchema>,
  ): Promise<string> {
    return this.#pack(caller, { type: 'automation_run', id: runId }, body.held);
  }

  async #pack(caller: Principal, subject: EvidenceSubject, held: readonly string[]): Promise<string> {
    return unwrap(await this.packs.execute(caller.tenantId, { subject, actor: actorOf(caller), held }));
  }
}
