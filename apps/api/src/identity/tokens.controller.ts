import { Body, Controller, Delete, Get, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { z } from 'zod';
import { mintedTokenSchema, newTokenSchema, pageQuerySchema, tokenPageSchema, type PageQuery } from '#lib/api-schemas';
import { uuidSchema } from '#lib/formats';
import { MintOwnToken, ReadIdentity, RevokeCredential } from '#lib/identity';
import type { CredentialId, PersonPrincipal } from '#lib/kernel';
import {
  Answers,
  AnswersNothing,
  CurrentPerson,
  IdempotentWithSecretAnswer,
  RequirePerson,
  RequireScope,
  toPage,
  unwrap,
  Summary,
} from '../http/index.js';
import { listAfter } from './list-after.js';
import { mintedTokenView, tokenView } from './views.js';

@ApiTags('Tokens')
@Controller('v1/tokens')
export class TokensController {
  constructor(
    private readonly identity: ReadIdentity,
    private readonly minting: MintOwnToken,
    private readonly revoking: RevokeCredential,
  ) {}

  @Summary('Mints a further token for oneself: no wider than the credential in use, nor than one’s roles.')
  @Post()
  @RequireScope('read')
  @RequirePerson()
  @IdempotentWithSecretAnswer()
  @Answers(201, mintedTokenSchema, 'The token, shown this once.')
  async mint(
    @CurrentPerson() by: PersonPrincipal,
    @Body({ schema: newTokenSchema }) body: z.infer<typeof newTokenSchema>,
  ): Promise<z.infer<typeof mintedTokenSchema>> {
    const wanted = { name: body.name, scopes: body.scopes, expiresInDays: body.expires_in_days };
    return mintedTokenView(unwrap(await this.minting.execute(by, wanted)));
  }

  @Summary(
    'One’s own tokens, those of one’s agents, and the delegations one issued; a PlatformAdmin with the scope admin sees all.',
  )
  @Get()
  @RequireScope('read')
  @RequirePerson()
  @Answers(200, tokenPageSchema)
  async list(
    @CurrentPerson() by: PersonPrincipal,
    @Query({ schema: pageQuerySchema }) query: PageQuery,
  ): Promise<z.infer<typeof tokenPageSchema>> {
    const credentials = await this.identity.credentials(by, listAfter('tokens', query));
    return toPage('tokens', credentials, query.limit, ({ id }) => [id], tokenView);
  }

  @Summary('Revokes a token; it opens nothing from then on.')
  @Delete(':id')
  @RequireScope('read')
  @RequirePerson()
  @AnswersNothing()
  async revoke(
    @CurrentPerson() by: PersonPrincipal,
    @Param('id', { schema: uuidSchema }) id: CredentialId,
  ): Promise<void> {
    unwrap(await this.revoking.execute(by, id));
  }
}
