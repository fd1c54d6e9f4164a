import { Module, type DynamicModule } from '@nestjs/common';
import type { Installation } from '#lib/installation';
import type { Limited } from '#lib/identity';
import { GuardedAnswers } from '../change-request/guarded-answers.js';
import { stageModule } from '../stage-module.js';
import { AgentsController } from './agents.controller.js';
import { InvitationsController } from './invitations.controller.js';
import { PeopleController } from './people.controller.js';
import { RolesController } from './roles.controller.js';
import { SignInController } from './sign-in.controller.js';
import { TokensController } from './tokens.controller.js';

@Module({})
export class IdentityModule {
  static of({ identity, approval, signIn, tenancy }: Installation, limited: Limited): DynamicModule {
    return stageModule(IdentityModule, {
      controllers: [
        SignInController,
        RolesController,
        PeopleController,
        InvitationsController,
        AgentsController,
        TokensController,
      ],
      helpers: [GuardedAnswers],
      uses: [
        identity.issueEnrolment,
        identity.invitePerson,
        identity.keepInvitations,
        identity.exchangeEnrolment,
        identity.bootstrap,
        identity.addPerson,
        identity.changePerson,
        identity.vouchForPerson,
        identity.registerAgent,
        identity.changeAgent,
        identity.assignRole,
        identity.revokeRole,
        identity.revokeCredential,
        identity.readIdentity,
        identity.readRoles,
        identity.mailInvitation,
        approval.countReviewers,
        signIn.addresses,
        tenancy.getTenant,
        limited.mintOwnToken,
        limited.mintAgentCredential,
      ],
    });
  }
}
