import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  approverKeyListSchema,
  approverKeyQuerySchema,
  type ApproverKeyListView,
  type ApproverKeyQuery,
} from '#lib/api-schemas';
import { type PersonId, type PersonPrincipal, toTimestamp } from '#lib/kernel';
import { ReadApproverKeys } from '#lib/mfa';
import { Answers, CurrentPerson, RequirePerson, RequireScope, Summary } from '../http/index.js';

@ApiTags('Second factors')
@Controller('v1/approver-keys')
export class ApproverKeysController {
  constructor(private readonly reading: ReadApproverKeys) {}

  @Summary(
    'The public keys of people’s passkeys, as lines for `countersign verify --approver-keys`. Compare each with its person before you keep it.',
  )
  @Get()
  @RequireScope('read')
  @RequirePerson()
  @Answers(200, approverKeyListSchema)
  async list(
    @CurrentPerson() by: PersonPrincipal,
    @Query({ schema: approverKeyQuerySchema }) query: ApproverKeyQuery,
  ): Promise<ApproverKeyListView> {
    // The schema of the query has checked the form of the id.
    const keys = await this.reading.execute(by.tenantId, (query.person_id ?? null) as PersonId | null);
    return {
      items: keys.map(({ factorId, personId, personName, name, enrolledAt, credentialId, line, fingerprint }) => ({
        factor_id: factorId,
        person: { id: personId, display_name: personName },
        name,
        enrolled_at: toTimestamp(enrolledAt),
        credential_id: credentialId,
        line,
        fingerprint,
      })),
    };
  }
}
