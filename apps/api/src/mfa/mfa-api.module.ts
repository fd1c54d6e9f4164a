import { Module } from '@nestjs/common';
import { FactorResetController } from './factor-reset.controller.js';
import { FactorsController } from './factors.controller.js';
import { StepUpsController } from './step-ups.controller.js';

@Module({ controllers: [FactorsController, StepUpsController, FactorResetController] })
export class MfaApiModule {}
