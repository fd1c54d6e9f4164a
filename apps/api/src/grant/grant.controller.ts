import { Body, Controller, Get, Header, HttpCode, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { z } from 'zod';
import { jsonWebKeySetSchema, redeemedGrantSchema, redeemGrantSchema } from '#lib/api-schemas';
import { GrantKeyring, JWKS_MAX_AGE_SECONDS, RedeemGrant } from '#lib/dispatch';
import { Answers, Public, Summary, unwrap } from '../http/index.js';

@ApiTags('Grants')
@Controller()
export class GrantController {
  constructor(
    private readonly grants: RedeemGrant,
    private readonly keyring: GrantKeyring,
  ) {}

  @Post('v1/grants/redeem')
  @Public()
  @Summary(
    'Uses a grant up, for the tool server that received it; the grant itself is the credential. Succeeds exactly once.',
  )
  @HttpCode(200)
  @Answers(200, redeemedGrantSchema, 'What the grant allows.')
  async redeem(
    @Body({ schema: redeemGrantSchema }) body: z.infer<typeof redeemGrantSchema>,
  ): Promise<z.infer<typeof redeemedGrantSchema>> {
    return { claims: unwrap(await this.grants.execute(body.grant, body)) };
  }

  @Get('.well-known/jwks.json')
  @Public()
  @Summary('The public keys that grants are signed with; a new one is published before it is used.')
  @Header('cache-control', `public, max-age=${String(JWKS_MAX_AGE_SECONDS)}`)
  @Answers(200, jsonWebKeySetSchema)
  async keys(): Promise<z.infer<typeof jsonWebKeySetSchema>> {
    const { keys } = await this.keyring.publicSet();
    return { keys: [...keys] };
  }
}
