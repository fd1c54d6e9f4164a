import { Body, Controller, Delete, Get, Param, Patch, Post, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { z } from 'zod';
import {
  enrolmentSchema,
  mailedInvitationSchema,
  newPersonSchema,
  newRoleSchema,
  peopleQuerySchema,
  personChangeSchema,
  personPageSchema,
  personSchema,
  vouchedPersonSchema,
  vouchSchema,
  waitingEnrolmentSchema,
  waitingMailedInvitationSchema,
  type ChangeRequestView,
} from '#lib/api-schemas';
import { PLATFORM_ADMIN, roleSchema, uuidSchema } from '#lib/formats';
import {
  AddPerson,
  ChangePerson,
  endedDocument,
  AssignRole,
  IssueEnrolment,
  KeepInvitations,
  MailInvitation,
  ReadIdentity,
  ReadRoles,
  RevokeRole,
  VouchForPerson,
} from '#lib/identity';
import type { PersonId, PersonPrincipal, Principal } from '#lib/kernel';
import { SignInAddresses } from '#lib/sign-in';
import {
  Answers,
  AnswersNothing,
  CurrentPerson,
  CurrentPrincipal,
  Idempotent,
  IdempotentWithSecretAnswer,
  MayWait,
  RequireRole,
  RequireScope,
  toPage,
  unwrap,
  Summary,
} from '../http/index.js';
import { GuardedAnswers } from '../change-request/guarded-answers.js';
import { listAfter } from './list-after.js';
import { mailedView } from './mailed-view.js';
import { enrolmentView, personView, personViewFor } from './views.js';

type PersonView = z.infer<typeof personSchema>;

@ApiTags('People')
@Controller('v1/people')
export class PeopleController {
  constructor(
    private readonly identity: ReadIdentity,
    private readonly adding: AddPerson,
    private readonly changing: ChangePerson,
    private readonly assigning: AssignRole,
    private readonly roles: ReadRoles,
    private readonly revoking: RevokeRole,
    private readonly enrolling: IssueEnrolment,
    private readonly vouching: VouchForPerson,
    private readonly answers: GuardedAnswers,
    private readonly addresses: SignInAddresses,
    private readonly invitations: KeepInvitations,
    private readonly mailing: MailInvitation,
  ) {}

  @Summary('Adds a person to the tenant. They enrol before they can do anything.')
  @Post()
  @RequireScope('admin')
  @RequireRole(PLATFORM_ADMIN)
  @Idempotent()
  @Answers(201, personSchema)
  async add(
    @CurrentPerson() by: PersonPrincipal,
    @Body({ schema: newPersonSchema }) body: z.infer<typeof newPersonSchema>,
  ): Promise<PersonView> {
    return personView(unwrap(await this.adding.execute(by, { email: body.email, displayName: body.display_name })));
  }

  @Summary('The people of the tenant, with their roles; to an agent without their addresses.')
  @Get()
  @RequireScope('read')
  @Answers(200, personPageSchema)
  async list(
    @CurrentPrincipal() by: Principal,
    @Query({ schema: peopleQuerySchema }) query: z.infer<typeof peopleQuerySchema>,
  ): Promise<z.infer<typeof personPageSchema>> {
    const filter = { withoutIssuer: query.without_issuer === 'true' };
    const people = await this.identity.people(by.tenantId, listAfter('people', query), filter);
    const standings = await this.identity.standings(
      by.tenantId,
      people.map(({ id }) => id),
    );
    return toPage('people', people, query.limit, ({ id }) => [id], personViewFor(by, standings));
  }

  @Summary('A person, with their roles; to an agent without their address.')
  @Get(':id')
  @RequireScope('read')
  @Answers(200, personSchema)
  async get(@CurrentPrincipal() by: Principal, @Param('id', { schema: uuidSchema }) id: PersonId): Promise<PersonView> {
    const standings = await this.identity.standings(by.tenantId, [id]);
    return personViewFor(by, standings)(unwrap(await this.identity.person(by.tenantId, id)));
  }

  @Summary(
    'Vouches for a person: they have a vote of their own on requests that open later. The passkey that was compared stays, and everything else that was made in their name ends. Only an admin of another hand can, with a step-up {kind: vouch}.',
  )
  @Post(':id/vouch')
  @RequireScope('admin')
  @RequireRole(PLATFORM_ADMIN)
  @Idempotent()
  @Answers(201, vouchedPersonSchema)
  async vouch(
    @CurrentPerson() by: PersonPrincipal,
    @Param('id', { schema: uuidSchema }) id: PersonId,
    @Body({ schema: vouchSchema }) body: z.infer<typeof vouchSchema>,
  ): Promise<z.infer<typeof vouchedPersonSchema>> {
    const wanted = { fingerprint: body.fingerprint, stepUpId: body.step_up_id };
    const { person, ended } = unwrap(await this.vouching.execute(by, id, wanted));
    const standings = await this.identity.standings(by.tenantId, [id]);
    return { ...personViewFor(by, standings)(person), ended: endedDocument(ended) };
  }

  @Summary(
    'Renames, disables or enables a person. Disabling revokes every token of theirs at once. Enabling a person who holds roles waits for a second person.',
  )
  @Patch(':id')
  @RequireScope('admin')
  @RequireRole(PLATFORM_ADMIN)
  @Answers(200, personSchema)
  @MayWait()
  async change(
    @CurrentPerson() by: PersonPrincipal,
    @Param('id', { schema: uuidSchema }) id: PersonId,
    @Body({ schema: personChangeSchema }) body: z.infer<typeof personChangeSchema>,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<PersonView | ChangeRequestView> {
    const change = { displayName: body.display_name, disabled: body.disabled };
    return this.answers.of(by, reply, unwrap(await this.changing.execute(by, id, change)), personView);
  }

  @Summary(
    'Assigns a role. It waits for a second person, and voids an unused enrolment token of theirs. You cannot assign one to yourself.',
  )
  @Post(':id/roles')
  @RequireScope('admin')
  @RequireRole(PLATFORM_ADMIN)
  @Idempotent()
  @Answers(201, personSchema, 'The person, with the role.')
  @MayWait()
  async assign(
    @CurrentPerson() by: PersonPrincipal,
    @Param('id', { schema: uuidSchema }) id: PersonId,
    @Body({ schema: newRoleSchema }) body: z.infer<typeof newRoleSchema>,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<PersonView | ChangeRequestView> {
    const warnings = await this.roles.warnings(by.tenantId, [body.role]);
    const assigned = unwrap(await this.assigning.execute(by, id, body.role));
    return this.answers.of(by, reply, assigned, personView, warnings);
  }

  @Summary('Takes a role away, at once. The last PlatformAdmin keeps theirs.')
  @Delete(':id/roles/:role')
  @RequireScope('admin')
  @RequireRole(PLATFORM_ADMIN)
  @AnswersNothing()
  async revoke(
    @CurrentPerson() by: PersonPrincipal,
    @Param('id', { schema: uuidSchema }) id: PersonId,
    @Param('role', { schema: roleSchema }) role: string,
  ): Promise<void> {
    unwrap(await this.revoking.execute(by, id, role));
  }

  @Summary(
    'Makes the one-time token by which the person gets their own credential. It waits for a second person if the person enrolled before, holds a role, or gets one that waits.',
  )
  @Post(':id/enrolment')
  @RequireScope('admin')
  @RequireRole(PLATFORM_ADMIN)
  @IdempotentWithSecretAnswer()
  @Answers(201, enrolmentSchema)
  @MayWait(waitingEnrolmentSchema)
  async enrol(
    @CurrentPerson() by: PersonPrincipal,
    @Param('id', { schema: uuidSchema }) id: PersonId,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<z.infer<typeof enrolmentSchema> | z.infer<typeof waitingEnrolmentSchema>> {
    const { token, guarded } = unwrap(await this.enrolling.execute(by, id));
    const answer = await this.answers.of(by, reply, guarded, ({ expiresAt }) =>
      enrolmentView({ token, expiresAt }, this.addresses),
    );
    return { ...answer, enrolment_token: token, invitation_url: this.addresses.invitationUrl(token) };
  }

  @Summary('Mails a first invitation to a person who has not enrolled yet. The link is shown to nobody else.')
  @Post(':id/enrolment/mailed')
  @RequireScope('admin')
  @RequireRole(PLATFORM_ADMIN)
  @Idempotent({ actsOutside: 'It hands the link to the mail server once the invitation is committed.' })
  @Answers(201, mailedInvitationSchema)
  @MayWait(waitingMailedInvitationSchema)
  async mail(
    @CurrentPerson() by: PersonPrincipal,
    @Param('id', { schema: uuidSchema }) id: PersonId,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<z.infer<typeof mailedInvitationSchema> | z.infer<typeof waitingMailedInvitationSchema>> {
    return mailedView(this.answers, by, reply, unwrap(await this.mailing.again(by, id)));
  }

  @Summary('Withdraws an unused invitation, at once.')
  @Delete(':id/enrolment')
  @RequireScope('admin')
  @RequireRole(PLATFORM_ADMIN)
  @AnswersNothing()
  async withdraw(
    @CurrentPerson() by: PersonPrincipal,
    @Param('id', { schema: uuidSchema }) id: PersonId,
  ): Promise<void> {
    unwrap(await this.invitations.withdraw(by, id));
  }
}
