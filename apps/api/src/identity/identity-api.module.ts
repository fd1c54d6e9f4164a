import { Module, type FactoryProvider } from '@nestjs/common';
import {
  INVITATION_MAILER,
  InvitePerson,
  IssueEnrolment,
  KeepInvitations,
  MailInvitation,
  ReadIdentity,
  type InvitationMailer,
} from '#lib/identity';
import { SignInAddresses } from '#lib/sign-in';
import { AgentsController } from './agents.controller.js';
import { InvitationsController } from './invitations.controller.js';
import { PeopleController } from './people.controller.js';
import { RolesController } from './roles.controller.js';
import { SignInController } from './sign-in.controller.js';
import { TokensController } from './tokens.controller.js';

const mailInvitation: FactoryProvider<MailInvitation> = {
  provide: MailInvitation,
  inject: [InvitePerson, IssueEnrolment, KeepInvitations, ReadIdentity, INVITATION_MAILER, SignInAddresses],
  useFactory: (
    inviting: InvitePerson,
    issuing: IssueEnrolment,
    keeping: KeepInvitations,
    reading: ReadIdentity,
    mailer: InvitationMailer,
    addresses: SignInAddresses,
  ) => new MailInvitation(inviting, issuing, keeping, reading, mailer, (token) => addresses.invitationUrl(token)),
};

@Module({
  controllers: [
    SignInController,
    RolesController,
    PeopleController,
    InvitationsController,
    AgentsController,
    TokensController,
  ],
  providers: [mailInvitation],
})
export class IdentityApiModule {}
