import { Module, type DynamicModule } from '@nestjs/common';
import type { Installation } from '#lib/installation';
import { GuardedAnswers } from '../change-request/guarded-answers.js';
import { stageModule } from '../stage-module.js';
import { AutonomyController } from './autonomy.controller.js';

@Module({})
export class AutonomyModule {
  static of({ identity, autonomy }: Installation): DynamicModule {
    return stageModule(AutonomyModule, {
      controllers: [AutonomyController],
      helpers: [GuardedAnswers],
      uses: [identity.readRoles, autonomy.putAutonomy, autonomy.readAutonomy],
    });
  }
}
