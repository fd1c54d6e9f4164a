import { Body, Controller, Get, Headers, HttpCode, Param, Post, Put, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { z } from 'zod';
import { confirmIssuerSchema, issuerTestSchema, signInSettingsSchema, type ChangeRequestView } from '#lib/api-schemas';
import { PLATFORM_ADMIN, dnsLabelSchema, wantedSignInSettingsSchema } from '#lib/formats';
import { ReadRoles } from '#lib/identity';
import type { PersonPrincipal } from '#lib/kernel';
import {
  ConfirmIssuer,
  PutSignInSettings,
  ReadIssuerStandings,
  ReadSignInSettings,
  SignInAddresses,
  TestIssuer,
  wantedSettingsOf,
  type SignInSettings,
} from '#lib/sign-in';
import {
  Answers,
  CurrentPerson,
  etagOf,
  Idempotent,
  MayWait,
  requireIfMatch,
  RequireRole,
  RequireScope,
  Summary,
  unwrap,
} from '../http/index.js';
import { GuardedAnswers } from '../change-request/guarded-answers.js';
import { signInSettingsView } from './views.js';

@ApiTags('Sign-in')
@Controller('v1/issuers')
export class IssuersController {
  constructor(
    private readonly reading: ReadSignInSettings,
    private readonly putting: PutSignInSettings,
    private readonly confirming: ConfirmIssuer,
    private readonly standings: ReadIssuerStandings,
    private readonly testing: TestIssuer,
    private readonly addresses: SignInAddresses,
    private readonly roles: ReadRoles,
    private readonly answers: GuardedAnswers,
  ) {}

  @Summary('The issuers by which people sign in, and the addresses to register there.')
  @Get()
  @RequireScope('admin')
  @RequireRole(PLATFORM_ADMIN)
  @Answers(200, signInSettingsSchema)
  async get(
    @CurrentPerson() by: PersonPrincipal,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<z.infer<typeof signInSettingsSchema>> {
    const settings = await this.reading.execute(by.tenantId);
    void reply.header('etag', etagOf(String(settings.revision)));
    return this.#view(by, settings);
  }

  @Summary(
    'Replaces the issuers. If it lets other people sign in, it waits for a second person. An issuer that is left out is out of service.',
  )
  @Put()
  @RequireScope('admin')
  @RequireRole(PLATFORM_ADMIN)
  @Answers(200, signInSettingsSchema)
  @MayWait()
  async put(
    @CurrentPerson() by: PersonPrincipal,
    @Body({ schema: wantedSignInSettingsSchema }) body: z.infer<typeof wantedSignInSettingsSchema>,
    @Headers('if-match') ifMatch: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<z.infer<typeof signInSettingsSchema> | ChangeRequestView> {
    const { revision } = await this.reading.execute(by.tenantId);
    requireIfMatch(ifMatch, revision === 0 ? null : etagOf(String(revision)));
    const mapped = body.issuers.flatMap(({ role_mappings: mappings }) => mappings.map(({ role }) => role));
    // Before the mapping is in force: it would know its own roles.
    const warnings = await this.roles.warnings(by.tenantId, mapped);
    const put = unwrap(await this.putting.execute(by, wantedSettingsOf(body), revision));
    const view = (settings: SignInSettings) => {
      void reply.header('etag', etagOf(String(settings.revision)));
      return this.#view(by, settings);
    };
    return this.answers.of(by, reply, put, view, warnings);
  }

  @Summary(
    'Confirms an issuer that one hand put in force alone. People who sign in there are known by it from then on. For an admin of another hand, with a step-up {kind: issuer_confirm}.',
  )
  @Post(':name/confirm')
  @RequireScope('admin')
  @RequireRole(PLATFORM_ADMIN)
  @Idempotent()
  @Answers(200, signInSettingsSchema)
  async confirm(
    @CurrentPerson() by: PersonPrincipal,
    @Param('name', { schema: dnsLabelSchema }) name: string,
    @Body({ schema: confirmIssuerSchema }) body: z.infer<typeof confirmIssuerSchema>,
  ): Promise<z.infer<typeof signInSettingsSchema>> {
    const given = { revision: body.settings_revision, stepUpId: body.step_up_id };
    return this.#view(by, unwrap(await this.confirming.execute(by, name, given)));
  }

  @Summary('Reads the description and the keys of an issuer in force, and says whether people could sign in there.')
  @Post(':name/test')
  @HttpCode(200)
  @RequireScope('admin')
  @RequireRole(PLATFORM_ADMIN)
  @Answers(200, issuerTestSchema)
  async test(
    @CurrentPerson() by: PersonPrincipal,
    @Param('name', { schema: dnsLabelSchema }) name: string,
  ): Promise<z.infer<typeof issuerTestSchema>> {
    const { url, keys, problem } = unwrap(await this.testing.execute(by, name));
    return { issuer_url: url, keys, problem };
  }

  async #view(by: PersonPrincipal, settings: SignInSettings): Promise<z.infer<typeof signInSettingsSchema>> {
    return signInSettingsView(settings, await this.standings.execute(by, settings.issuers), this.addresses, by);
  }
}
