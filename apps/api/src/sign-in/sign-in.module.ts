import { Module, type DynamicModule } from '@nestjs/common';
import type { Installation } from '#lib/installation';
import { GuardedAnswers } from '../change-request/guarded-answers.js';
import { stageModule } from '../stage-module.js';
import { BrowserSignInController } from './browser-sign-in.controller.js';
import { IssuersController } from './issuers.controller.js';
import { PasskeySignInController } from './passkey-sign-in.controller.js';
import { BrowserSessionsController } from './browser-sessions.controller.js';

@Module({})
export class SignInModule {
  static of({ identity, mfa, signIn }: Installation): DynamicModule {
    return stageModule(SignInModule, {
      controllers: [BrowserSignInController, PasskeySignInController, BrowserSessionsController, IssuersController],
      helpers: [GuardedAnswers],
      uses: [
        identity.readRoles,
        mfa.keepFactors,
        signIn.endBrowserSession,
        signIn.confirmIssuer,
        signIn.readIssuerStandings,
        signIn.testIssuer,
        signIn.beginSignIn,
        signIn.completeSignIn,
        signIn.readBrowserSessions,
        signIn.signOut,
        signIn.listSignInOptions,
        signIn.readSignInSettings,
        signIn.putSignInSettings,
        signIn.signInByPasskey,
        signIn.acceptInvitation,
        signIn.addresses,
      ],
    });
  }
}
