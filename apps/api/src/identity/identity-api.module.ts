import { Module } from '@nestjs/common';
import { AgentsController } from './agents.controller.js';
import { InvitationsController } from './invitations.controller.js';
import { PeopleController } from './people.controller.js';
import { SignInController } from './sign-in.controller.js';
import { TokensController } from './tokens.controller.js';

@Module({
  controllers: [SignInController, PeopleController, InvitationsController, AgentsController, TokensController],
})
export class IdentityApiModule {}
