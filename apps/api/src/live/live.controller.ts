import { Controller, Get, Headers, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { liveEventSchema } from '#lib/api-schemas';
import { FailureError, type Principal } from '#lib/kernel';
import { Answers, AnswersAs, CurrentPrincipal, RequireScope, Summary } from '../http/index.js';
import { EventStreams } from './event-streams.js';
import { LiveEventStreams } from './live-event-streams.js';

@ApiTags('Events')
@Controller('v1/events')
export class LiveController {
  constructor(
    private readonly streams: EventStreams,
    private readonly changes: LiveEventStreams,
  ) {}

  @Summary(
    'Changes in the tenant, as server-sent events of type `change` while the connection lasts; after `missed`, or when connecting again, read everything on the screen anew.',
  )
  @Get()
  @RequireScope('read')
  @Answers(200, liveEventSchema)
  @AnswersAs('text/event-stream')
  stream(
    @CurrentPrincipal() by: Principal,
    @Headers('accept') accept: string | undefined,
    @Res() reply: FastifyReply,
  ): void {
    if (accept?.includes('text/event-stream') !== true) throw new FailureError(streamOnly);
    this.changes.send(this.streams.open(reply, by), by.tenantId);
  }
}

const streamOnly = {
  kind: 'unprocessable',
  code: 'events.stream_only',
  message: 'What changes is told as a stream only.',
  action: 'Send "Accept: text/event-stream", as EventSource does.',
} as const;
