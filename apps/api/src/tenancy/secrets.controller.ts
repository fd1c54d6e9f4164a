import { Body, Controller, Get, Param, Post, Put, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { z } from 'zod';
import {
  bindSecretSchema,
  boundSecretSchema,
  pageQuerySchema,
  secretNameSchema,
  secretPageSchema,
  secretRotationSchema,
  secretSchema,
  secretValueSchema,
  type ChangeRequestView,
  type PageQuery,
} from '#lib/api-schemas';
import { PLATFORM_ADMIN, type SecretBindingDocument } from '#lib/formats';
import { type PersonPrincipal, toTimestamp } from '#lib/kernel';
import {
  BindSecret,
  formatSecretReference,
  ListSecrets,
  PutSecret,
  RotateSecrets,
  type SecretBinding,
  type SecretMetadata,
} from '#lib/tenancy';
import { GuardedAnswers } from '../change-request/guarded-answers.js';
import {
  Answers,
  CurrentPerson,
  decodeCursor,
  MayWait,
  RequirePerson,
  RequireRole,
  RequireScope,
  Summary,
  toPage,
  unwrap,
} from '../http/index.js';

type SecretView = z.infer<typeof secretSchema>;

/** The largest integer of the database's column for versions. */
const MAX_VERSION = 2_147_483_647;

@ApiTags('Secrets')
@Controller('v1/secrets')
export class SecretsController {
  constructor(
    private readonly listing: ListSecrets,
    private readonly putting: PutSecret,
    private readonly rotating: RotateSecrets,
    private readonly binding: BindSecret,
    private readonly answers: GuardedAnswers,
  ) {}

  @Summary('The secrets of the tenant by name and version with their bindings, without their values. For people only.')
  @Get()
  @RequireScope('read')
  @RequirePerson()
  @Answers(200, secretPageSchema)
  async list(
    @CurrentPerson() by: PersonPrincipal,
    @Query({ schema: pageQuerySchema }) query: PageQuery,
  ): Promise<z.infer<typeof secretPageSchema>> {
    const [name, version] = decodeCursor('secrets', query.cursor) ?? [];
    const after =
      typeof name === 'string' && typeof version === 'number'
        ? { name, version: Math.min(version, MAX_VERSION) }
        : null;
    const secrets = await this.listing.execute(by.tenantId, { limit: query.limit + 1, after });
    return toPage('secrets', secrets, query.limit, (secret) => [secret.name, secret.version], secretView);
  }

  @Summary('Stores the next version of a secret. Older versions stay, for documents that name them.')
  @Put(':name')
  @RequireScope('admin')
  @RequireRole(PLATFORM_ADMIN)
  @Answers(200, secretSchema)
  async put(
    @CurrentPerson() by: PersonPrincipal,
    @Param('name', { schema: secretNameSchema }) name: string,
    @Body({ schema: secretValueSchema }) body: z.infer<typeof secretValueSchema>,
  ): Promise<SecretView> {
    const { value, binding } = body;
    const secret = { name, value, ...(binding === undefined ? {} : { binding: bindingOf(binding) }) };
    return secretView(unwrap(await this.putting.execute(by, secret)));
  }

  @Summary('Sets the destinations of a secret, for all its versions. A wider binding waits for a second person.')
  @Put(':name/binding')
  @RequireScope('admin')
  @RequireRole(PLATFORM_ADMIN)
  @Answers(200, boundSecretSchema)
  @MayWait()
  async bind(
    @CurrentPerson() by: PersonPrincipal,
    @Param('name', { schema: secretNameSchema }) name: string,
    @Body({ schema: bindSecretSchema }) body: z.infer<typeof bindSecretSchema>,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<z.infer<typeof boundSecretSchema> | ChangeRequestView> {
    const wanted = body.binding === null ? null : bindingOf(body.binding);
    const bound = unwrap(await this.binding.execute(by, name, wanted));
    return this.answers.of(by, reply, bound, (secret) => ({ name: secret.name, binding: bindingView(secret.binding) }));
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

const bindingOf = ({ purpose, executors, environments, tools }: SecretBindingDocument): SecretBinding => ({
  purpose,
  executors: executors ?? [],
  environments: environments ?? [],
  tools: tools ?? [],
});

const bindingView = (binding: SecretBinding | null): SecretView['binding'] =>
  binding === null
    ? null
    : {
        purpose: binding.purpose,
        executors: [...binding.executors],
        environments: [...binding.environments],
        tools: [...binding.tools],
      };

const secretView = (secret: SecretMetadata): SecretView => ({
  name: secret.name,
  version: secret.version,
  reference: formatSecretReference(secret),
  binding: bindingView(secret.binding),
  key_id: secret.keyId,
  created_at: toTimestamp(secret.createdAt),
  created_by: secret.createdBy,
});
