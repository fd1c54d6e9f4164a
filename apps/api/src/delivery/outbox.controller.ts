import { Controller, Get, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { z } from 'zod';
import { outboxMessageSchema, outboxPageSchema, outboxQuerySchema, type OutboxMessageView } from '#lib/api-schemas';
import { PLATFORM_ADMIN, uuidSchema } from '#lib/formats';
import type { PersonPrincipal } from '#lib/kernel';
import { ResendOutbox } from '#lib/delivery';
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
import { outboxView } from './delivery-views.js';

const LIST = 'outbox';

@ApiTags('Notifications')
@Controller('v1/outbox')
export class OutboxController {
  constructor(private readonly resending: ResendOutbox) {}

  @Summary('Messages to people, newest first: by default those that could not be delivered.')
  @Get()
  @RequireScope('admin')
  @RequireRole(PLATFORM_ADMIN)
  @Answers(200, outboxPageSchema)
  async list(
    @CurrentPerson() by: PersonPrincipal,
    @Query({ schema: outboxQuerySchema }) query: z.infer<typeof outboxQuerySchema>,
  ): Promise<z.infer<typeof outboxPageSchema>> {
    const entries = await this.resending.list(by, query.state, pageAfter(LIST, query));
    return toPage(LIST, entries, query.limit, ({ createdAt, id }) => [createdAt, id], outboxView);
  }

  @Summary('Sends a message again that was given up.')
  @Post(':id/retry')
  @RequireScope('admin')
  @RequireRole(PLATFORM_ADMIN)
  @Answers(200, outboxMessageSchema)
  async retry(
    @CurrentPerson() by: PersonPrincipal,
    @Param('id', { schema: uuidSchema }) id: string,
  ): Promise<OutboxMessageView> {
    return outboxView(unwrap(await this.resending.execute(by, id)));
  }
}
