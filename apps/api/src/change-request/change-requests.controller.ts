import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { z } from 'zod';
import {
  changeQuerySchema,
  changeRequestPageSchema,
  changeRequestSchema,
  confirmChangeSchema,
  rejectChangeSchema,
  type ChangeQuery,
  type ChangeRequestView,
} from '#lib/api-schemas';
import { PLATFORM_ADMIN, uuidSchema } from '#lib/formats';
import { ConfirmChange, ReadChanges, RejectChange, WithdrawChange } from '#lib/change-request';
import { ReadIdentity, ReadRoles } from '#lib/identity';
import type { ChangeRequestId, Digest, PersonPrincipal } from '#lib/kernel';
import {
  Answers,
  CurrentPerson,
  pageAfter,
  RequirePerson,
  RequireRole,
  RequireScope,
  Summary,
  toPage,
  unwrap,
} from '../http/index.js';
import { changeRequestView } from './change-views.js';
import { rolesOfChange } from './roles-of-change.js';

@ApiTags('Changes')
@Controller('v1/change-requests')
export class ChangeRequestsController {
  constructor(
    private readonly reading: ReadChanges,
    private readonly confirming: ConfirmChange,
    private readonly rejecting: RejectChange,
    private readonly withdrawing: WithdrawChange,
    private readonly identity: ReadIdentity,
    private readonly roles: ReadRoles,
  ) {}

  @Summary('Changes that loosen and wait for a second person, and the outcome of the others, newest first.')
  @Get()
  @RequireScope('read')
  @RequirePerson()
  @Answers(200, changeRequestPageSchema)
  async list(
    @CurrentPerson() by: PersonPrincipal,
    @Query({ schema: changeQuerySchema }) query: ChangeQuery,
  ): Promise<z.infer<typeof changeRequestPageSchema>> {
    const { state, kind, confirmable } = query;
    const changes = await this.reading.list(by, { state, kind, confirmable }, pageAfter('changes', query));
    const keyOf = ({ change }: (typeof changes)[number]) => [change.openedAt, change.id];
    return toPage('changes', changes, query.limit, keyOf, (change) => changeRequestView(change));
  }

  @Summary('One change: its effect, the difference it makes, and the people who could confirm it.')
  @Get(':id')
  @RequireScope('read')
  @RequirePerson()
  @Answers(200, changeRequestSchema)
  async get(
    @CurrentPerson() by: PersonPrincipal,
    @Param('id', { schema: uuidSchema }) id: ChangeRequestId,
  ): Promise<ChangeRequestView> {
    const seen = unwrap(await this.reading.one(by, id));
    const people = [seen.change.requestedBy, ...seen.confirmers.map((one) => one.id)];
    const warnings = await this.roles.warnings(by.tenantId, rolesOfChange(seen.change));
    return changeRequestView(seen, await this.identity.standings(by.tenantId, people), warnings);
  }

  @Summary(
    'Confirms a change, and carries it out. Takes somebody who did not ask for it, and a step-up {kind: change_confirm}.',
  )
  @Post(':id/confirm')
  @RequireScope('admin')
  @RequireRole(PLATFORM_ADMIN)
  @Answers(200, changeRequestSchema, 'The change as it was applied.')
  async confirm(
    @CurrentPerson() by: PersonPrincipal,
    @Param('id', { schema: uuidSchema }) id: ChangeRequestId,
    @Body({ schema: confirmChangeSchema }) body: z.infer<typeof confirmChangeSchema>,
  ): Promise<ChangeRequestView> {
    // The schema has checked the form of the digest.
    const given = { changeDigest: body.change_digest as Digest, stepUpId: body.step_up_id };
    return changeRequestView(unwrap(await this.confirming.execute(by, id, given)));
  }

  @Summary('Rejects a change of somebody else.')
  @Post(':id/reject')
  @RequireScope('admin')
  @RequireRole(PLATFORM_ADMIN)
  @Answers(200, changeRequestSchema)
  async reject(
    @CurrentPerson() by: PersonPrincipal,
    @Param('id', { schema: uuidSchema }) id: ChangeRequestId,
    @Body({ schema: rejectChangeSchema }) body: z.infer<typeof rejectChangeSchema>,
  ): Promise<ChangeRequestView> {
    return changeRequestView(unwrap(await this.rejecting.execute(by, id, body.comment)));
  }

  @Summary('Withdraws a change request of your own.')
  @Post(':id/withdraw')
  @RequireScope('admin')
  @RequireRole(PLATFORM_ADMIN)
  @Answers(200, changeRequestSchema)
  async withdraw(
    @CurrentPerson() by: PersonPrincipal,
    @Param('id', { schema: uuidSchema }) id: ChangeRequestId,
  ): Promise<ChangeRequestView> {
    return changeRequestView(unwrap(await this.withdrawing.execute(by, id)));
  }
}
