import { Body, Controller, HttpCode, Post, Query, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import {
  acceptInvitationSchema,
  invitationAcceptedSchema,
  invitationSeenSchema,
  lookAtInvitationSchema,
  passkeySignInOptionsSchema,
  passkeySignInSchema,
  passkeyTenantQuerySchema,
} from '#lib/api-schemas';
import { toTimestamp } from '#lib/kernel';
import { AcceptInvitation, EndBrowserSession, SignInByPasskey } from '#lib/sign-in';
import {
  Answers,
  AnswersNothing,
  BrowserSessions,
  PublicExchange,
  PublicLook,
  setBrowserSessionCookie,
  Summary,
  unwrap,
} from '../http/index.js';
import { asJson } from '../mfa/mfa-views.js';
import { comingBrowser } from './coming-browser.js';

/** Coming in with a passkey of ours: from an invitation the first time, and by itself from then on. */
@ApiTags('Sign-in')
@Controller('v1')
export class PasskeySignInController {
  constructor(
    private readonly signingIn: SignInByPasskey,
    private readonly accepting: AcceptInvitation,
    private readonly browsers: BrowserSessions,
    private readonly ending: EndBrowserSession,
  ) {}

  @Summary(
    'Begins to sign in with a passkey. Answers with the options for the browser, good for one answer within five minutes.',
  )
  @Post('sign-in/passkey/options')
  @HttpCode(200)
  @PublicLook()
  @Answers(200, passkeySignInOptionsSchema)
  async options(
    @Query({ schema: passkeyTenantQuerySchema }) _routed: z.infer<typeof passkeyTenantQuerySchema>,
  ): Promise<z.infer<typeof passkeySignInOptionsSchema>> {
    return { options: asJson(unwrap(await this.signingIn.begin())) };
  }

  @Summary(
    'Signs in the owner of the passkey, and sets the cookie of a browser session. For pages of Countersign alone.',
  )
  @Post('sign-in/passkey')
  @PublicExchange()
  @AnswersNothing()
  async signIn(
    @Query({ schema: passkeyTenantQuerySchema }) _routed: z.infer<typeof passkeyTenantQuerySchema>,
    @Body({ schema: passkeySignInSchema }) body: z.infer<typeof passkeySignInSchema>,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<void> {
    this.browsers.requireOwnOrigin(request);
    const { assertion } = body;
    const { token } = unwrap(await this.signingIn.complete(assertion, comingBrowser(request)));
    await this.#replaceBrowserSession(request, reply, token);
  }

  @Summary(
    'The purpose of an invitation, and the options with which the browser makes a passkey. The invitation stays unused.',
  )
  @Post('enrolment/passkey/options')
  @HttpCode(200)
  @PublicExchange()
  @Answers(200, invitationSeenSchema)
  async look(
    @Body({ schema: lookAtInvitationSchema }) body: z.infer<typeof lookAtInvitationSchema>,
  ): Promise<z.infer<typeof invitationSeenSchema>> {
    const { tenantName, person, expiresAt, options, proofRequired } = unwrap(
      await this.accepting.look(body.enrolment_token),
    );
    return {
      organisation: tenantName,
      display_name: person.displayName,
      email: person.email,
      roles: person.roles.map(({ role }) => role),
      expires_at: toTimestamp(expiresAt),
      proof_required: proofRequired,
      options: asJson(options),
    };
  }

  @Summary(
    'Comes in by an invitation with a new passkey: sets the cookie of a browser session. For pages of Countersign alone.',
  )
  @Post('enrolment/passkey')
  @HttpCode(201)
  @PublicExchange()
  @Answers(201, invitationAcceptedSchema)
  async accept(
    @Body({ schema: acceptInvitationSchema }) body: z.infer<typeof acceptInvitationSchema>,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<z.infer<typeof invitationAcceptedSchema>> {
    this.browsers.requireOwnOrigin(request);
    const { name, registration, proof = null } = body;
    const answer = { name, registration, proof, browser: comingBrowser(request) };
    const { browserSession, recoveryCodes } = unwrap(await this.accepting.accept(body.enrolment_token, answer));
    await this.#replaceBrowserSession(request, reply, browserSession.token);
    return { recovery_codes: recoveryCodes === null ? null : [...recoveryCodes] };
  }

  /** The browser session from before ends here, for every holder of a copy. */
  async #replaceBrowserSession(request: FastifyRequest, reply: FastifyReply, token: string): Promise<void> {
    const before = await this.browsers.signedIn(request);
    if (before !== null) await this.ending.execute(before, before.credentialId);
    setBrowserSessionCookie(reply, token);
  }
}
