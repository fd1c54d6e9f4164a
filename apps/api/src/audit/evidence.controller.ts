import { Body, Controller, Header, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { z } from 'zod';
import { BuildEvidencePack } from '#lib/audit';
import { evidencePackSchema, evidenceRequestSchema, uuidSchema } from '#lib/contracts';
import { actorOf, type PlanId, type Principal } from '#lib/kernel';
import { Answers, CurrentPrincipal, RequireScope, Summary, unwrap } from '../http/index.js';

@ApiTags('Audit')
@Controller('v1/plans/:id/evidence')
export class EvidenceController {
  constructor(private readonly packs: BuildEvidencePack) {}

  @Summary('Everything that proves what was planned, decided, approved and done, as one file that is checked offline.')
  @Post()
  @RequireScope('audit')
  @Header('content-type', 'application/json; charset=utf-8')
  @Answers(200, evidencePackSchema, 'The pack, canonical JSON; keep it byte for byte.')
  async assemble(
    @CurrentPrincipal() caller: Principal,
    @Param('id', { schema: uuidSchema }) planId: PlanId,
    @Body({ schema: evidenceRequestSchema }) body: z.infer<typeof evidenceRequestSchema>,
  ): Promise<string> {
    return unwrap(await this.packs.execute(caller.tenantId, { planId, actor: actorOf(caller), held: body.held }));
  }
}
