import { Module, type DynamicModule } from '@nestjs/common';
import type { Installation } from '#lib/installation';
import { GuardedAnswers } from '../change-request/guarded-answers.js';
import { stageModule } from '../stage-module.js';
import { AgentErrorsController } from './agent-errors.controller.js';
import { LifecycleHooksController } from './lifecycle-hooks.controller.js';

@Module({})
export class LifecycleHookModule {
  static of({ lifecycleHook, identity }: Installation): DynamicModule {
    return stageModule(LifecycleHookModule, {
      controllers: [LifecycleHooksController, AgentErrorsController],
      helpers: [GuardedAnswers],
      uses: [
        lifecycleHook.readHooksInForce,
        lifecycleHook.changeHooks,
        lifecycleHook.reportAgentError,
        identity.readRoles,
      ],
    });
  }
}
