import { Body, Controller, Delete, Get, Headers, Param, Post, Put, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { z } from 'zod';
import {
  rotateSecretQuerySchema,
  webhookDetailSchema,
  webhookListSchema,
  webhookSchema,
  webhookSecretSchema,
  webhookSettingsSchema,
  type ChangeRequestView,
  type RotateSecretQuery,
  type WebhookDetailView,
  type WebhookSecretView,
  type WebhookSettingsBody,
  type WebhookView,
} from '#lib/api-schemas';
import { PLATFORM_ADMIN, uuidSchema } from '#lib/formats';
import { toTimestamp, type PersonPrincipal } from '#lib/kernel';
import { ChangeEndpoint, ReadWebhooks, RemoveEndpoint, RotateSecret, type WebhookEndpointId } from '#lib/webhook';
import {
  Answers,
  AnswersNothing,
  CurrentPerson,
  etagOf,
  Idempotent,
  IdempotentWithSecretAnswer,
  MayWait,
  requireIfMatch,
  RequireRole,
  RequireScope,
  Summary,
  unwrap,
} from '../http/index.js';
import { GuardedAnswers } from '../change-request/guarded-answers.js';
import { webhookDetailView, webhookView } from './webhook-views.js';

@ApiTags('Webhooks')
@Controller('v1/webhooks')
export class WebhooksController {
  constructor(
    private readonly reading: ReadWebhooks,
    private readonly changing: ChangeEndpoint,
    private readonly removing: RemoveEndpoint,
    private readonly rotating: RotateSecret,
    private readonly answers: GuardedAnswers,
  ) {}

  @Summary('The webhooks: addresses that events are sent to.')
  @Get()
  @RequireScope('admin')
  @RequireRole(PLATFORM_ADMIN)
  @Answers(200, webhookListSchema)
  async list(@CurrentPerson() by: PersonPrincipal): Promise<z.infer<typeof webhookListSchema>> {
    return { items: (await this.reading.all(by.tenantId)).map(webhookDetailView) };
  }

  @Summary('One webhook; its ETag is that of its settings.')
  @Get(':id')
  @RequireScope('admin')
  @RequireRole(PLATFORM_ADMIN)
  @Answers(200, webhookDetailSchema)
  async get(
    @CurrentPerson() by: PersonPrincipal,
    @Param('id', { schema: uuidSchema }) id: WebhookEndpointId,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<WebhookDetailView> {
    const view = webhookDetailView(unwrap(await this.reading.one(by.tenantId, id)));
    void reply.header('etag', view.etag);
    return view;
  }

  @Summary(
    'Adds a webhook; it waits for a second person. Nothing is sent before POST /v1/webhooks/{id}/secret has shown its secret.',
  )
  @Post()
  @RequireScope('admin')
  @RequireRole(PLATFORM_ADMIN)
  @Idempotent({ actsOutside: 'It asks name servers for the address of the receiver.' })
  @Answers(201, webhookSchema)
  @MayWait()
  async add(
    @CurrentPerson() by: PersonPrincipal,
    @Body({ schema: webhookSettingsSchema }) body: WebhookSettingsBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<WebhookView | ChangeRequestView> {
    return this.answers.of(by, reply, unwrap(await this.changing.execute(by, null, body)), webhookView);
  }

  @Summary(
    'Changes a webhook, or switches it on or off; a change that sends events further waits for a second person. Takes its ETag as If-Match.',
  )
  @Put(':id')
  @RequireScope('admin')
  @RequireRole(PLATFORM_ADMIN)
  @Answers(200, webhookSchema)
  @MayWait()
  async change(
    @CurrentPerson() by: PersonPrincipal,
    @Param('id', { schema: uuidSchema }) id: WebhookEndpointId,
    @Headers('if-match') ifMatch: string | undefined,
    @Body({ schema: webhookSettingsSchema }) body: WebhookSettingsBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<WebhookView | ChangeRequestView> {
    const requireCurrent = (revision: string): void => {
      requireIfMatch(ifMatch, etagOf(revision));
    };
    const changed = unwrap(await this.changing.execute(by, { id, requireCurrent }, body));
    return this.answers.of(by, reply, changed, (endpoint) => {
      const view = webhookView(endpoint);
      void reply.header('etag', view.etag);
      return view;
    });
  }

  @Summary('Removes a webhook, with its secrets and its delivery log.')
  @Delete(':id')
  @RequireScope('admin')
  @RequireRole(PLATFORM_ADMIN)
  @AnswersNothing()
  async remove(
    @CurrentPerson() by: PersonPrincipal,
    @Param('id', { schema: uuidSchema }) id: WebhookEndpointId,
  ): Promise<void> {
    unwrap(await this.removing.execute(by, id));
  }

  @Summary(
    'Makes a new secret and shows it once. The last two earlier ones sign beside it for a day; end_earlier=true ends them at once.',
  )
  @Post(':id/secret')
  @RequireScope('admin')
  @RequireRole(PLATFORM_ADMIN)
  @IdempotentWithSecretAnswer()
  @Answers(201, webhookSecretSchema, 'The secret, shown this once.')
  async rotate(
    @CurrentPerson() by: PersonPrincipal,
    @Param('id', { schema: uuidSchema }) id: WebhookEndpointId,
    @Query({ schema: rotateSecretQuerySchema }) { end_earlier: endEarlier }: RotateSecretQuery,
  ): Promise<WebhookSecretView> {
    const { secret, earlierUntil } = unwrap(await this.rotating.execute(by, id, endEarlier));
    return { secret, earlier_until: toTimestamp(earlierUntil) };
  }
}
