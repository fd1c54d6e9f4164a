import { Body, Controller, Get, Headers, Put, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { z } from 'zod';
import { signInSettingsSchema, wantedSignInSettingsSchema } from '#lib/contracts';
import { PLATFORM_ADMIN } from '#lib/identity';
import type { PersonPrincipal } from '#lib/kernel';
import { PutSignInSettings, ReadSignInSettings, SignInAddresses } from '#lib/sign-in';
import {
  Answers,
  CurrentPerson,
  etagOf,
  requireIfMatch,
  RequireRole,
  RequireScope,
  Summary,
  unwrap,
} from '../http/index.js';
import { signInSettingsView, wantedSettingsOf } from './views.js';

@ApiTags('Sign-in')
@Controller('v1/issuers')
export class IssuersController {
  constructor(
    private readonly reading: ReadSignInSettings,
    private readonly putting: PutSignInSettings,
    private readonly addresses: SignInAddresses,
  ) {}

  @Summary('The issuers by which people sign in, and what they have to be told.')
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
    return signInSettingsView(settings, this.addresses, by);
  }

  @Summary('Replaces them. One that is no longer named is out of service: nobody signs in by it.')
  @Put()
  @RequireScope('admin')
  @RequireRole(PLATFORM_ADMIN)
  @Answers(200, signInSettingsSchema)
  async put(
    @CurrentPerson() by: PersonPrincipal,
    @Body({ schema: wantedSignInSettingsSchema }) body: z.infer<typeof wantedSignInSettingsSchema>,
    @Headers('if-match') ifMatch: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<z.infer<typeof signInSettingsSchema>> {
    const { revision } = await this.reading.execute(by.tenantId);
    requireIfMatch(ifMatch, revision === 0 ? null : etagOf(String(revision)));
    const settings = unwrap(await this.putting.execute(by, wantedSettingsOf(body), revision));
    void reply.header('etag', etagOf(String(settings.revision)));
    return signInSettingsView(settings, this.addresses, by);
  }
}
