import { Body, Controller, Delete, Get, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { z } from 'zod';
import {
  pushKeySchema,
  pushSubscriptionListSchema,
  pushSubscriptionRequestSchema,
  pushSubscriptionSchema,
  type PushSubscriptionView,
} from '#lib/api-schemas';
import { uuidSchema } from '#lib/formats';
import type { PersonPrincipal } from '#lib/kernel';
import { SubscribePush } from '#lib/delivery';
import {
  Answers,
  AnswersNothing,
  CurrentPerson,
  Idempotent,
  RequirePerson,
  RequireScope,
  Summary,
  unwrap,
} from '../http/index.js';
import { pushSubscriptionView } from './delivery-views.js';

@ApiTags('Notifications')
@Controller('v1/push-subscriptions')
export class PushSubscriptionsController {
  constructor(private readonly subscribing: SubscribePush) {}

  @Summary('The push subscriptions of the caller’s browsers.')
  @Get()
  @RequireScope('read')
  @RequirePerson()
  @Answers(200, pushSubscriptionListSchema)
  async list(@CurrentPerson() by: PersonPrincipal): Promise<z.infer<typeof pushSubscriptionListSchema>> {
    return { items: (await this.subscribing.mine(by)).map(pushSubscriptionView) };
  }

  @Summary('The public key with which a browser subscribes.')
  @Get('key')
  @RequireScope('read')
  @RequirePerson()
  @Answers(200, pushKeySchema)
  async key(@CurrentPerson() by: PersonPrincipal): Promise<z.infer<typeof pushKeySchema>> {
    return { public_key: await this.subscribing.key(by) };
  }

  @Summary('Subscribes a browser of the caller to push messages.')
  @Post()
  @RequireScope('read')
  @RequirePerson()
  @Idempotent({ actsOutside: 'It asks name servers for the address of the push service.' })
  @Answers(201, pushSubscriptionSchema)
  async subscribe(
    @CurrentPerson() by: PersonPrincipal,
    @Body({ schema: pushSubscriptionRequestSchema }) { endpoint, keys }: z.infer<typeof pushSubscriptionRequestSchema>,
  ): Promise<PushSubscriptionView> {
    return pushSubscriptionView(unwrap(await this.subscribing.execute(by, { endpoint, ...keys })));
  }

  @Summary('Ends a push subscription of the caller.')
  @Delete(':id')
  @RequireScope('read')
  @RequirePerson()
  @AnswersNothing()
  async end(@CurrentPerson() by: PersonPrincipal, @Param('id', { schema: uuidSchema }) id: string): Promise<void> {
    unwrap(await this.subscribing.end(by, id));
  }
}
