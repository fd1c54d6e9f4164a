import { Module } from '@nestjs/common';
import { ApproverKeysController } from './approver-keys.controller.js';
import { FactorResetController } from './factor-reset.controller.js';
import { FactorsController } from './factors.controller.js';
import { StepUpsController } from './step-ups.controller.js';

@Module({ controllers: [FactorsController, StepUpsController, FactorResetController, ApproverKeysController] })
export class MfaApiModule {}
