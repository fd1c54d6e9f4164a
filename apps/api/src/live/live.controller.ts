import { Controller, Get, Headers, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { liveEventSchema } from '#lib/api-schemas';
import { FailureError, type Principal } from '#lib/kernel';
import { Answers, AnswersAs, CurrentPrincipal, endTurn, RequireScope, Summary, untilGone } from '../http/index.js';
import { LiveEventStreams } from './live-event-streams.js';
import { StreamPlaces } from './stream-places.js';

@ApiTags('Events')
@Controller('v1/events')
export class LiveController {
  constructor(
    private readonly streams: LiveEventStreams,
    private readonly places: StreamPlaces,
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
    const leave = this.places.take(by);
    endTurn(reply.request);
    reply.hijack();
    const gone = untilGone(reply.raw);
    if (gone.aborted) leave();
    else gone.addEventListener('abort', leave, { once: true });
    this.streams.send(reply, by.tenantId);
  }
}

const streamOnly = {
  kind: 'unprocessable',
  code: 'events.stream_only',
  message: 'What changes is told as a stream only.',
  action: 'Send "Accept: text/event-stream", as EventSource does.',
} as const;
