import { Controller, Get, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { z } from 'zod';
import {
  webhookDeliveryListSchema,
  webhookDeliveryQuerySchema,
  webhookDeliverySchema,
  type WebhookDeliveryQuery,
  type WebhookDeliveryView,
} from '#lib/api-schemas';
import { PLATFORM_ADMIN, uuidSchema } from '#lib/formats';
import type { PersonPrincipal } from '#lib/kernel';
import { ReadWebhooks, SendWebhook, type WebhookDeliveryId, type WebhookEndpointId } from '#lib/webhook';
import {
  Answers,
  CurrentPerson,
  pageAfter,
  RequireRole,
  RequireScope,
  Summary,
  toPage,
  unwrap,
} from '../http/index.js';
import { loggedDeliveryView, webhookDeliveryView } from './webhook-views.js';

const LIST = 'webhook_deliveries';

@ApiTags('Webhooks')
@Controller('v1/webhooks/:id')
export class WebhookDeliveriesController {
  constructor(
    private readonly reading: ReadWebhooks,
    private readonly sending: SendWebhook,
  ) {}

  @Summary('Sends a tool.test event.')
  @Post('test')
  @RequireScope('admin')
  @RequireRole(PLATFORM_ADMIN)
  @Answers(201, webhookDeliverySchema)
  async test(
    @CurrentPerson() by: PersonPrincipal,
    @Param('id', { schema: uuidSchema }) id: WebhookEndpointId,
  ): Promise<WebhookDeliveryView> {
    return webhookDeliveryView(unwrap(await this.sending.test(by, id)));
  }

  @Summary('The delivery log of a webhook for thirty days, newest first.')
  @Get('deliveries')
  @RequireScope('admin')
  @RequireRole(PLATFORM_ADMIN)
  @Answers(200, webhookDeliveryListSchema)
  async list(
    @CurrentPerson() by: PersonPrincipal,
    @Param('id', { schema: uuidSchema }) id: WebhookEndpointId,
    @Query({ schema: webhookDeliveryQuerySchema }) query: WebhookDeliveryQuery,
  ): Promise<z.infer<typeof webhookDeliveryListSchema>> {
    const { state, event } = query;
    const filter = { ...(state === undefined ? {} : { state }), ...(event === undefined ? {} : { event }) };
    const found = unwrap(await this.reading.log(by.tenantId, id, filter, pageAfter(LIST, query)));
    return toPage(LIST, found, query.limit, (each) => [each.createdAt, each.id], loggedDeliveryView);
  }

  @Summary('One delivery, with its attempts and its body.')
  @Get('deliveries/:delivery')
  @RequireScope('admin')
  @RequireRole(PLATFORM_ADMIN)
  @Answers(200, webhookDeliverySchema)
  async get(
    @CurrentPerson() by: PersonPrincipal,
    @Param('id', { schema: uuidSchema }) id: WebhookEndpointId,
    @Param('delivery', { schema: uuidSchema }) delivery: WebhookDeliveryId,
  ): Promise<WebhookDeliveryView> {
    return webhookDeliveryView(unwrap(await this.reading.delivery(by.tenantId, id, delivery)));
  }

  @Summary('Sends a delivery again, under the same webhook-id.')
  @Post('deliveries/:delivery/resend')
  @RequireScope('admin')
  @RequireRole(PLATFORM_ADMIN)
  @Answers(200, webhookDeliverySchema)
  async resend(
    @CurrentPerson() by: PersonPrincipal,
    @Param('id', { schema: uuidSchema }) id: WebhookEndpointId,
    @Param('delivery', { schema: uuidSchema }) delivery: WebhookDeliveryId,
  ): Promise<WebhookDeliveryView> {
    return webhookDeliveryView(unwrap(await this.sending.again(by, id, delivery)));
  }
}
