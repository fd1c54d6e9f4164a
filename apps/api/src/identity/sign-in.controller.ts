import { Body, Controller, Get, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { z } from 'zod';
import {
  bootstrapAnswerSchema,
  bootstrapRequestSchema,
  enrolmentExchangeSchema,
  meSchema,
  mintedTokenSchema,
} from '#lib/api-schemas';
import { Bootstrap, ExchangeEnrolment } from '#lib/identity';
import type { Principal } from '#lib/kernel';
import { SignInAddresses } from '#lib/sign-in';
import { GetTenant } from '#lib/tenancy';
import { Answers, CurrentPrincipal, PublicExchange, RequireScope, unwrap, Summary } from '../http/index.js';
import { enrolmentView, meView, mintedTokenView } from './views.js';

@ApiTags('Identity')
@Controller('v1')
export class SignInController {
  constructor(
    private readonly bootstraps: Bootstrap,
    private readonly enrolments: ExchangeEnrolment,
    private readonly addresses: SignInAddresses,
    private readonly gettingTenant: GetTenant,
  ) {}

  @Summary('Founds a tenant and its first PlatformAdmin with the single-use token that the server’s operator holds.')
  @Post('bootstrap')
  @PublicExchange()
  @Answers(201, bootstrapAnswerSchema, 'The tenant, its first PlatformAdmin, and how they get their credential.')
  async bootstrap(
    @Body({ schema: bootstrapRequestSchema }) body: z.infer<typeof bootstrapRequestSchema>,
  ): Promise<z.infer<typeof bootstrapAnswerSchema>> {
    const founded = unwrap(
      await this.bootstraps.execute(body.bootstrap_token, {
        tenant: body.tenant,
        admin: { email: body.admin.email, displayName: body.admin.display_name },
      }),
    );
    return {
      tenant_id: founded.tenantId,
      person_id: founded.personId,
      enrolment: enrolmentView(founded.enrolment, this.addresses),
    };
  }

  @Summary('Exchanges a one-time enrolment token for a credential of one’s own; earlier credentials are revoked.')
  @Post('enrolment')
  @PublicExchange()
  @Answers(201, mintedTokenSchema, 'The token, shown this once.')
  async enrol(
    @Body({ schema: enrolmentExchangeSchema }) body: z.infer<typeof enrolmentExchangeSchema>,
  ): Promise<z.infer<typeof mintedTokenSchema>> {
    const wanted = { name: body.name, scopes: body.scopes, expiresInDays: body.expires_in_days };
    return mintedTokenView(unwrap(await this.enrolments.execute(body.enrolment_token, wanted)));
  }

  @Summary('The owner of the credential, their tenant, and the scopes of the credential.')
  @Get('me')
  @RequireScope('read')
  @Answers(200, meSchema)
  async me(@CurrentPrincipal() caller: Principal): Promise<z.infer<typeof meSchema>> {
    if (caller.kind === 'system') throw new Error('the system does not call itself over HTTP');
    const { slug } = unwrap(await this.gettingTenant.execute(caller.tenantId));
    return meView(caller, slug);
  }
}
