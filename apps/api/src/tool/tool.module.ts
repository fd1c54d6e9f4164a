import { Module, type DynamicModule } from '@nestjs/common';
import type { Installation } from '#lib/installation';
import { GuardedAnswers } from '../change-request/guarded-answers.js';
import { stageModule } from '../stage-module.js';
import { ExecutorKindsController } from './executor-kinds.controller.js';
import { ExecutorsController } from './executors.controller.js';
import { ToolsController } from './tools.controller.js';

@Module({})
export class ToolModule {
  static of({ identity, tool }: Installation): DynamicModule {
    return stageModule(ToolModule, {
      controllers: [ToolsController, ExecutorKindsController, ExecutorsController],
      helpers: [GuardedAnswers],
      uses: [identity.readRoles, tool.changeCatalog, tool.putExecutor, tool.readRegistry],
    });
  }
}
