import { Controller, Delete, Get, Param, Post, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { browserSessionListSchema, currentBrowserSessionSchema, signedOutSchema } from '#lib/api-schemas';
import { uuidSchema } from '#lib/formats';
import { type CredentialId, type PersonPrincipal, toTimestamp, toTimestampOrNull } from '#lib/kernel';
import { KeepFactors } from '#lib/mfa';
import { EndBrowserSession, ReadBrowserSessions, SignOut } from '#lib/sign-in';
import {
  Answers,
  AnswersNothing,
  BrowserSessions,
  clearBrowserSessionCookie,
  CurrentPerson,
  PublicLook,
  RequirePerson,
  RequireScope,
  Summary,
  unwrap,
} from '../http/index.js';
import { browserSessionView } from './views.js';

@ApiTags('Sign-in')
@Controller('v1/browser-sessions')
export class BrowserSessionsController {
  constructor(
    private readonly browsers: BrowserSessions,
    private readonly browserSessions: ReadBrowserSessions,
    private readonly ending: EndBrowserSession,
    private readonly signingOut: SignOut,
    private readonly keptFactors: KeepFactors,
  ) {}

  @Summary('The person who is signed in in this browser, and the data that a page needs to act for them.')
  @Get('current')
  @PublicLook()
  @Answers(200, currentBrowserSessionSchema)
  async current(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<z.infer<typeof currentBrowserSessionSchema>> {
    const person = await this.#whoIsSignedIn(request, reply);
    if (person === null) return { signed_in: false };
    const { browserSession, email, tenant, csrfToken } = unwrap(await this.browserSessions.current(person));
    const factors = (await this.keptFactors.list(person)).factors.filter(({ state }) => state === 'active');
    return {
      signed_in: true,
      person: {
        id: person.personId,
        display_name: person.displayName,
        email,
        roles: person.roles.map(({ role }) => role),
      },
      tenant,
      csrf_token: csrfToken,
      expires_at: toTimestamp(browserSession.expiresAt),
      signed_in_at: person.signedInAt === 'never' ? null : toTimestampOrNull(person.signedInAt),
      signed_in_by: browserSession.passkeyName === null ? 'issuer' : 'passkey',
      mfa: {
        totp: factors.some(({ kind }) => kind === 'totp'),
        passkeys: factors.filter(({ kind }) => kind === 'passkey').length,
      },
    };
  }

  @Summary('Ends this browser session, and says where to sign out at the issuer.')
  @Post('current/sign-out')
  @RequireScope('read')
  @RequirePerson()
  @Answers(200, signedOutSchema)
  async signOut(
    @CurrentPerson() by: PersonPrincipal,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<z.infer<typeof signedOutSchema>> {
    const redirectTo = await this.signingOut.execute(by);
    clearBrowserSessionCookie(reply);
    return { redirect_to: redirectTo };
  }

  @Summary('The caller’s own browser sessions that are not over.')
  @Get()
  @RequireScope('read')
  @RequirePerson()
  @Answers(200, browserSessionListSchema)
  async list(@CurrentPerson() by: PersonPrincipal): Promise<z.infer<typeof browserSessionListSchema>> {
    const browserSessions = await this.browserSessions.list(by);
    return { items: browserSessions.map((browserSession) => browserSessionView(browserSession, by)) };
  }

  @Summary('Ends a browser session of the caller’s own.')
  @Delete(':id')
  @RequireScope('read')
  @RequirePerson()
  @AnswersNothing()
  async end(
    @CurrentPerson() by: PersonPrincipal,
    @Param('id', { schema: uuidSchema }) id: CredentialId,
  ): Promise<void> {
    unwrap(await this.ending.execute(by, id));
  }

  /** Null, too, for a cookie that opens nothing any more: the page then offers to sign in. */
  async #whoIsSignedIn(request: FastifyRequest, reply: FastifyReply): Promise<PersonPrincipal | null> {
    const person = await this.browsers.holder(request);
    if (person === null && this.browsers.has(request)) clearBrowserSessionCookie(reply);
    return person;
  }
}
