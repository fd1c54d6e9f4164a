import { Controller, Get, Param, Query, Req, Res } from '@nestjs/common';
import { ApiExcludeEndpoint, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { signInOptionsQuerySchema, signInOptionsSchema, signInQuerySchema, signInReturnSchema } from '#lib/api-schemas';
import { dnsLabelSchema, uuidSchema } from '#lib/formats';
import type { TenantId } from '#lib/kernel';
import { BeginSignIn, CompleteSignIn, EndBrowserSession, ListSignInOptions, SignInAddresses } from '#lib/sign-in';
import {
  Answers,
  BrowserSessions,
  pageAddress,
  ProblemsOn,
  PublicExchange,
  PublicLook,
  Redirects,
  setBrowserSessionCookie,
  setSignInCookie,
  signInTokenOf,
  Summary,
  unwrap,
} from '../http/index.js';
import { comingBrowser } from './coming-browser.js';

/** A page of the web UI. */
const WELCOME = '/welcome';

@ApiTags('Sign-in')
@Controller()
export class BrowserSignInController {
  constructor(
    private readonly options: ListSignInOptions,
    private readonly beginning: BeginSignIn,
    private readonly completing: CompleteSignIn,
    private readonly addresses: SignInAddresses,
    private readonly browsers: BrowserSessions,
    private readonly ending: EndBrowserSession,
  ) {}

  @Summary('The ways in which the people of a tenant sign in. A missing tenant has no issuers.')
  @Get('v1/sign-in/options')
  @PublicLook()
  @Answers(200, signInOptionsSchema)
  async list(
    @Query({ schema: signInOptionsQuerySchema }) query: z.infer<typeof signInOptionsQuerySchema>,
  ): Promise<z.infer<typeof signInOptionsSchema>> {
    const { issuers, passkeys, founded } = await this.options.execute(query.tenant);
    return {
      issuers: issuers.map(({ name, displayName }) => ({ name, display_name: displayName })),
      passkeys,
      founded,
    };
  }

  @Summary('Sends a browser to an issuer, which signs the person in and sends it back.')
  @Get('sign-in')
  @PublicExchange()
  @ProblemsOn(WELCOME, signInQuerySchema.pick({ tenant: true, return_to: true }).strip())
  @Redirects(303, 'On to the issuer, or to a page that says why not.')
  async begin(
    @Query({ schema: signInQuerySchema }) query: z.infer<typeof signInQuerySchema>,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    if (this.#isFromElsewhere(request)) {
      redirect(reply, pageAddress(WELCOME, { tenant: query.tenant, return_to: query.return_to }));
      return;
    }
    const begun = unwrap(
      await this.beginning.execute({
        tenant: query.tenant,
        issuer: query.issuer,
        returnTo: query.return_to,
        prompt: query.prompt ?? null,
        browserToken: signInTokenOf(request),
      }),
    );
    setSignInCookie(reply, begun.browserToken);
    redirect(reply, begun.location);
  }

  @Summary('Takes the answer of an issuer, which sends the browser back here.')
  @Get('sign-in/callback/:tenant/:issuer')
  @PublicExchange()
  @ProblemsOn(WELCOME)
  @ApiExcludeEndpoint()
  async complete(
    @Param('tenant', { schema: uuidSchema }) tenantId: TenantId,
    @Param('issuer', { schema: dnsLabelSchema }) issuer: string,
    @Query({ schema: signInReturnSchema }) query: z.infer<typeof signInReturnSchema>,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const url = new URL(this.addresses.redirectUri(tenantId, issuer));
    url.search = new URL(request.url, url).search;
    const opened = unwrap(
      await this.completing.execute({
        url: url.href,
        at: { tenantId, issuer },
        state: query.state,
        browserToken: signInTokenOf(request),
        browser: comingBrowser(request),
      }),
    );
    // The browser session from before the sign-in ends here, for every holder of a copy.
    const before = await this.browsers.signedIn(request);
    if (before !== null) await this.ending.execute(before, before.credentialId);
    setBrowserSessionCookie(reply, opened.token);
    redirect(reply, opened.returnTo);
  }

  /**
   * A page of another site must not sign its visitor in as somebody of its own tenant. There the person begins the sign-in.
   * Browsers that send no Sec-Fetch-Site, old ones, send the Referer that the links of our pages ask for.
   */
  #isFromElsewhere({ headers: { 'sec-fetch-site': site, referer } }: FastifyRequest): boolean {
    if (site !== undefined) return site !== 'same-origin' && site !== 'none';
    return !URL.canParse(referer ?? '') || !this.addresses.origins.includes(new URL(referer ?? '').origin);
  }
}

function redirect(reply: FastifyReply, location: string): void {
  void reply.status(303).header('location', location).send();
}
