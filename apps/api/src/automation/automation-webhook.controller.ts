import { Body, Controller, Headers, HttpCode, Inject, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { automationMessageAnswerSchema, automationMessageSchema, type AutomationMessageAnswer } from '#lib/api-schemas';
import { badSignature, ReceiveAutomationWebhook, type AutomationId } from '#lib/automation';
import { slugSchema, uuidSchema } from '#lib/formats';
import type { RequestBudget } from '#lib/identity';
import { FailureError } from '#lib/kernel';
import { FindTenant } from '#lib/sign-in';
import { Answers, budgetSpent, PublicExchange, REQUEST_BUDGET, Summary, unwrap } from '../http/index.js';

/** The addresses that other systems send signed messages to. They hold no secret. */
@ApiTags('Automations')
@Controller('hooks/:slug/automations')
export class AutomationWebhookController {
  constructor(
    private readonly tenants: FindTenant,
    private readonly receiving: ReceiveAutomationWebhook,
    @Inject(REQUEST_BUDGET) private readonly budget: RequestBudget,
  ) {}

  @Summary(
    'Takes a message of another system, signed as Standard Webhooks describes it. Each message starts at most one run.',
  )
  @Post(':id')
  @HttpCode(202)
  @PublicExchange()
  @Answers(202, automationMessageAnswerSchema)
  async receive(
    @Param('slug', { schema: slugSchema }) slug: string,
    @Param('id', { schema: uuidSchema }) id: AutomationId,
    @Body({ schema: automationMessageSchema }) body: string,
    @Headers('webhook-id') messageId: string | undefined,
    @Headers('webhook-timestamp') timestamp: string | undefined,
    @Headers('webhook-signature') signature: string | undefined,
  ): Promise<AutomationMessageAnswer> {
    const tenantId = await this.tenants.execute(slug);
    if (tenantId === null) throw new FailureError(badSignature);
    const message = { id: messageId, timestamp, signature, body };
    const sender = unwrap(await this.receiving.verify(tenantId, id, message));
    const refused = await this.budget.take(sender);
    if (refused !== null) throw new FailureError(budgetSpent(refused));
    const run = unwrap(await this.receiving.start(tenantId, id, message));
    return { run_id: run?.id ?? null, state: run?.state ?? null };
  }
}
