import { Body, Delete, Headers, Put, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { z } from 'zod';
import { connectionTokenSchema, type ChangeRequestView, type ConnectionTokenBody } from '#lib/api-schemas';
import {
  connectionRevision,
  ChangeConnection,
  RemoveConnection,
  SetConnectionToken,
  type Connection,
  type ConnectionKind,
  type KindSettings,
} from '#lib/connection';
import { PLATFORM_ADMIN } from '#lib/formats';
import { toTimestamp, type PersonPrincipal } from '#lib/kernel';
import { GuardedAnswers } from '../change-request/guarded-answers.js';
import {
  Answers,
  AnswersNothing,
  CurrentPerson,
  etagOf,
  MayWait,
  requireIfMatch,
  RequireRole,
  RequireScope,
  Summary,
  unwrap,
} from '../http/index.js';

interface ConnectionRoutes<S extends KindSettings, View extends { readonly etag: string }> {
  readonly kind: ConnectionKind<S>;
  readonly settings: z.ZodType<S>;
  readonly answer: z.ZodType<View>;
  readonly view: (connection: Connection<S>) => View;
}

/** The routes that change a connection: its settings, its token, and its removal. The controller of its kind adds those that read it. */
export function connectionController<S extends KindSettings, View extends { readonly etag: string }>({
  kind,
  settings,
  answer,
  view,
}: ConnectionRoutes<S, View>) {
  abstract class ConnectionController {
    constructor(
      readonly changing: ChangeConnection<S>,
      readonly removing: RemoveConnection<S>,
      readonly settingToken: SetConnectionToken<S>,
      readonly answers: GuardedAnswers,
    ) {}

    @Summary(
      `Names the ${kind.name}; another address waits for a second person, and loses the token of the former one. Takes the ETag of the one it replaces as If-Match.`,
    )
    @Put()
    @RequireScope('admin')
    @RequireRole(PLATFORM_ADMIN)
    @Answers(200, answer)
    @MayWait()
    async put(
      @CurrentPerson() by: PersonPrincipal,
      @Headers('if-match') ifMatch: string | undefined,
      @Body({ schema: settings }) body: S,
      @Res({ passthrough: true }) reply: FastifyReply,
    ): Promise<View | ChangeRequestView> {
      const requireCurrent = (revision: string | null): void => {
        requireIfMatch(ifMatch, revision === null ? null : etagOf(revision));
      };
      const changed = unwrap(await this.changing.execute(by, body, requireCurrent));
      return this.answers.of(by, reply, changed, (connection) => withEtag(reply, view(connection)));
    }

    @Summary(
      `Sets the bearer token that the ${kind.name} is shown, or removes it. It is never shown again. Takes the ETag of the ${kind.name} as If-Match.`,
    )
    @Put('token')
    @RequireScope('admin')
    @RequireRole(PLATFORM_ADMIN)
    @AnswersNothing()
    async token(
      @CurrentPerson() by: PersonPrincipal,
      @Headers('if-match') ifMatch: string | undefined,
      @Body({ schema: connectionTokenSchema }) { token }: ConnectionTokenBody,
    ): Promise<void> {
      const requireCurrent = (revision: string): void => {
        requireIfMatch(ifMatch, etagOf(revision));
      };
      unwrap(await this.settingToken.execute(by, token, requireCurrent));
    }

    @Summary(`Removes the ${kind.name} with its token, at once.`)
    @Delete()
    @RequireScope('admin')
    @RequireRole(PLATFORM_ADMIN)
    @AnswersNothing()
    async remove(@CurrentPerson() by: PersonPrincipal): Promise<void> {
      unwrap(await this.removing.execute(by));
    }
  }
  return ConnectionController;
}

/** The view, with its ETag in the header of the answer. */
export function withEtag<View extends { readonly etag: string }>(reply: FastifyReply, view: View): View {
  void reply.header('etag', view.etag);
  return view;
}

export const timeOf = (at: number | null): string | null => (at === null ? null : toTimestamp(at));

/** The members that every connection shows. Settings have the same names in the API. */
export const connectionView = <S extends KindSettings>(kind: ConnectionKind<S>, connection: Connection<S>) => ({
  ...kind.settings.parse(connection),
  id: connection.id,
  has_token: connection.hasToken,
  error: connection.error,
  error_at: timeOf(connection.errorAt),
  created_by: connection.createdBy,
  created_at: toTimestamp(connection.createdAt),
  etag: etagOf(connectionRevision(kind, connection)),
});
