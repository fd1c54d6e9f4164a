import { Body, Controller, Get, Post, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { z } from 'zod';
import {
  invitationSchema,
  mailedInvitationSchema,
  newInvitationSchema,
  openInvitationsSchema,
  waitingInvitationSchema,
  waitingMailedInvitationSchema,
} from '#lib/api-schemas';
import { PLATFORM_ADMIN } from '#lib/formats';
import { InvitePerson, KeepInvitations, MailInvitation, ReadRoles } from '#lib/identity';
import { type PersonPrincipal, toTimestamp } from '#lib/kernel';
import { SignInAddresses } from '#lib/sign-in';
import {
  Answers,
  CurrentPerson,
  Idempotent,
  IdempotentWithSecretAnswer,
  MayWait,
  RequireRole,
  RequireScope,
  Summary,
  unwrap,
} from '../http/index.js';
import { GuardedAnswers } from '../change-request/guarded-answers.js';
import { mailedView } from './mailed-view.js';
import { enrolmentView } from './views.js';

@ApiTags('People')
@Controller('v1/invitations')
export class InvitationsController {
  constructor(
    private readonly inviting: InvitePerson,
    private readonly mailing: MailInvitation,
    private readonly keeping: KeepInvitations,
    private readonly addresses: SignInAddresses,
    private readonly roles: ReadRoles,
    private readonly answers: GuardedAnswers,
  ) {}

  @Summary(
    'Invites somebody. Adds them with these roles, and makes the link by which they come in, good once and for a day. With roles it waits for a second person.',
  )
  @Post()
  @RequireScope('admin')
  @RequireRole(PLATFORM_ADMIN)
  @IdempotentWithSecretAnswer()
  @Answers(201, invitationSchema)
  @MayWait(waitingInvitationSchema)
  async invite(
    @CurrentPerson() by: PersonPrincipal,
    @Body({ schema: newInvitationSchema }) body: z.infer<typeof newInvitationSchema>,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<z.infer<typeof invitationSchema> | z.infer<typeof waitingInvitationSchema>> {
    const { email, display_name: displayName, roles } = body;
    const warnings = await this.roles.warnings(by.tenantId, roles);
    const { personId, token, guarded } = unwrap(await this.inviting.execute(by, { email, displayName, roles }));
    const opened = ({ expiresAt }: { readonly expiresAt: number }) =>
      enrolmentView({ token, expiresAt }, this.addresses);
    const answer = await this.answers.of(by, reply, guarded, opened, warnings);
    const secret = { enrolment_token: token, invitation_url: this.addresses.invitationUrl(token) };
    return { ...answer, ...secret, person_id: personId };
  }

  @Summary(
    'Invites a person by a mailed link that is shown to nobody else. The person has a vote of their own. With roles it waits for a second person.',
  )
  @Post('mailed')
  @RequireScope('admin')
  @RequireRole(PLATFORM_ADMIN)
  @Idempotent({ actsOutside: 'It hands the link to the mail server once the invitation is committed.' })
  @Answers(201, mailedInvitationSchema)
  @MayWait(waitingMailedInvitationSchema)
  async mail(
    @CurrentPerson() by: PersonPrincipal,
    @Body({ schema: newInvitationSchema }) body: z.infer<typeof newInvitationSchema>,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<z.infer<typeof mailedInvitationSchema> | z.infer<typeof waitingMailedInvitationSchema>> {
    const { email, display_name: displayName, roles } = body;
    const warnings = await this.roles.warnings(by.tenantId, roles);
    const mailed = unwrap(await this.mailing.invite(by, { email, displayName, roles }));
    return mailedView(this.answers, by, reply, mailed, warnings);
  }

  @Summary('The invitations that are valid and unused. Their secrets are not kept.')
  @Get()
  @RequireScope('admin')
  @RequireRole(PLATFORM_ADMIN)
  @Answers(200, openInvitationsSchema)
  async list(@CurrentPerson() by: PersonPrincipal): Promise<z.infer<typeof openInvitationsSchema>> {
    const open = await this.keeping.list(by.tenantId);
    return {
      can_mail: this.mailing.available,
      items: open.map(({ person, channel, invitedBy, createdAt, expiresAt }) => ({
        person: { id: person.id, display_name: person.displayName, email: person.email },
        channel,
        invited_by: invitedBy === null ? null : { id: invitedBy.personId, display_name: invitedBy.displayName },
        created_at: toTimestamp(createdAt),
        expires_at: toTimestamp(expiresAt),
      })),
    };
  }
}
