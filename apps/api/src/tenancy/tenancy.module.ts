import { Module, type DynamicModule } from '@nestjs/common';
import type { Installation } from '#lib/installation';
import { GuardedAnswers } from '../change-request/guarded-answers.js';
import { stageModule } from '../stage-module.js';
import { EnvironmentsController } from './environments.controller.js';
import { SecretsController } from './secrets.controller.js';

@Module({})
export class TenancyModule {
  static of({ tenancy, identity }: Installation): DynamicModule {
    return stageModule(TenancyModule, {
      controllers: [EnvironmentsController, SecretsController],
      helpers: [GuardedAnswers],
      uses: [
        tenancy.listEnvironments,
        tenancy.getEnvironment,
        tenancy.createEnvironment,
        tenancy.changeEnvironment,
        tenancy.listSecrets,
        tenancy.putSecret,
        tenancy.bindSecret,
        tenancy.rotateSecrets,
        identity.readRoles,
      ],
    });
  }
}
