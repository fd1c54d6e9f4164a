import { Body, Controller, Get, Param, Post, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { z } from 'zod';
import {
  pageQuerySchema,
  secretNameSchema,
  secretPageSchema,
  secretRotationSchema,
  secretSchema,
  secretValueSchema,
  toTimestamp,
  type PageQuery,
} from '#lib/contracts';
import { PLATFORM_ADMIN } from '#lib/identity';
import type { PersonPrincipal, Principal } from '#lib/kernel';
import { formatSecretReference, ListSecrets, PutSecret, RotateSecrets, type SecretMetadata } from '#lib/tenancy';
import {
  Answers,
  CurrentPerson,
  CurrentPrincipal,
  decodeCursor,
  RequireRole,
  RequireScope,
  Summary,
  toPage,
  unwrap,
} from '../http/index.js';

type SecretView = z.infer<typeof secretSchema>;

/** What the database counts versions with ends here. */
const LARGEST_VERSION = 2_147_483_647;

@ApiTags('Secrets')
@Controller('v1/secrets')
export class SecretsController {
  constructor(
    private readonly listing: ListSecrets,
    private readonly putting: PutSecret,
    private readonly rotating: RotateSecrets,
  ) {}

  @Summary('The secrets of the tenant, by name and version, without their values.')
  @Get()
  @RequireScope('read')
  @Answers(200, secretPageSchema)
  async list(
    @CurrentPrincipal() by: Principal,
    @Query({ schema: pageQuerySchema }) query: PageQuery,
  ): Promise<z.infer<typeof secretPageSchema>> {
    const [name, version] = decodeCursor('secrets', query.cursor) ?? [];
    const after =
      typeof name === 'string' && typeof version === 'number'
        ? { name, version: Math.min(version, LARGEST_VERSION) }
        : null;
    const secrets = await this.listing.execute(by.tenantId, { limit: query.limit + 1, after });
    return toPage('secrets', secrets, query.limit, (secret) => [secret.name, secret.version], secretView);
  }

  @Summary('Stores the next version of a secret. Older versions stay, for what names them.')
  @Put(':name')
  @RequireScope('admin')
  @RequireRole(PLATFORM_ADMIN)
  @Answers(200, secretSchema)
  async put(
    @CurrentPerson() by: PersonPrincipal,
    @Param('name', { schema: secretNameSchema }) name: string,
    @Body({ schema: secretValueSchema }) body: z.infer<typeof secretValueSchema>,
  ): Promise<SecretView> {
    return secretView(unwrap(await this.putting.execute(by, { name, value: body.value })));
  }

  @Summary('Encrypts the tenant’s secrets anew under the current master key, after the operator has made one.')
  @Post('rotation')
  @RequireScope('admin')
  @RequireRole(PLATFORM_ADMIN)
  @Answers(200, secretRotationSchema)
  async rotate(@CurrentPerson() by: PersonPrincipal): Promise<z.infer<typeof secretRotationSchema>> {
    return { reencrypted: unwrap(await this.rotating.execute(by)) };
  }
}

const secretView = (secret: SecretMetadata): SecretView => ({
  name: secret.name,
  version: secret.version,
  reference: formatSecretReference(secret),
  key_id: secret.keyId,
  created_at: toTimestamp(secret.createdAt),
  created_by: secret.createdBy,
});
