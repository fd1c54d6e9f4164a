import { Module, type DynamicModule } from '@nestjs/common';
import type { Installation } from '#lib/installation';
import { GuardedAnswers } from '../change-request/guarded-answers.js';
import { stageModule } from '../stage-module.js';
import { ApproverKeysController } from './approver-keys.controller.js';
import { FactorResetController } from './factor-reset.controller.js';
import { FactorsController } from './factors.controller.js';
import { StepUpsController } from './step-ups.controller.js';

@Module({})
export class MfaModule {
  static of({ identity, mfa, signIn }: Installation): DynamicModule {
    return stageModule(MfaModule, {
      controllers: [FactorsController, StepUpsController, FactorResetController, ApproverKeysController],
      helpers: [GuardedAnswers],
      uses: [
        identity.readRoles,
        mfa.readApproverKeys,
        mfa.enrolTotp,
        mfa.registerPasskey,
        mfa.keepFactors,
        mfa.stepUpForOperation,
        mfa.resetFactors,
        signIn.rotateBrowserSession,
      ],
    });
  }
}
