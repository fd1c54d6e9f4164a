import { Controller, Get, Param, Query, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { sessionMessageSchema, sessionSocketQuerySchema } from '#lib/api-schemas';
import type { EntryCursor } from '#lib/audit';
import { uuidSchema } from '#lib/formats';
import { FailureError, isUuid, type AuditEntryId, type Principal, type SessionId } from '#lib/kernel';
import { ReadSessions } from '#lib/session';
import {
  Answers,
  BrowserSessions,
  CurrentPrincipal,
  decodeCursor,
  endTurn,
  RequireScope,
  Summary,
  takeUpgrade,
  unwrap,
} from '../http/index.js';
import { CURSOR_OF } from './session-messages.js';
import { SessionSockets } from './session-sockets.js';
import { OpenStreams } from './open-streams.js';

@ApiTags('Sessions')
@Controller('v1/sessions')
export class SessionSocketController {
  constructor(
    private readonly reading: ReadSessions,
    private readonly browsers: BrowserSessions,
    private readonly streams: OpenStreams,
    private readonly sockets: SessionSockets,
  ) {}

  @Summary(
    'A WebSocket that tells of the session as it goes on, from its beginning or after your cursor. It takes commands, too. Pages use their cookie, programs the Authorization header.',
  )
  @Get(':id/ws')
  @RequireScope('read')
  @Answers(200, sessionMessageSchema, 'A message; the answer itself is 101.')
  async open(
    @CurrentPrincipal() by: Principal,
    @Param('id', { schema: uuidSchema }) id: SessionId,
    @Query({ schema: sessionSocketQuerySchema }) query: z.infer<typeof sessionSocketQuerySchema>,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    // A program has no origin. If there is one, it has to be ours: a browser sends the cookie from any page.
    if (request.headers.authorization === undefined || request.headers.origin !== undefined)
      this.browsers.requireOwnOrigin(request);
    const session = unwrap(await this.reading.get(by, id));
    const after = cursorOf(query.cursor);
    if (request.headers.upgrade?.toLowerCase() !== 'websocket') throw new FailureError(socketOnly);
    const leave = this.streams.take(by);
    const upgrade = takeUpgrade(request);
    if (upgrade === null) {
      leave();
      throw new FailureError(socketOnly);
    }
    endTurn(request);
    reply.hijack();
    this.sockets.open(request, upgrade, { by, session, after, leave });
  }
}

function cursorOf(cursor: string | undefined): EntryCursor | null {
  const [occurredAt, id] = decodeCursor(CURSOR_OF, cursor) ?? [];
  return typeof occurredAt === 'number' && typeof id === 'string' && isUuid(id)
    ? // It has the form of an id.
      { occurredAt, id: id as AuditEntryId }
    : null;
}

const socketOnly = {
  kind: 'unprocessable',
  code: 'session.socket_only',
  message: 'This address is a WebSocket.',
  action: 'Connect with a WebSocket client.',
} as const;
