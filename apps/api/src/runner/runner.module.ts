import { Module, type DynamicModule } from '@nestjs/common';
import type { Installation } from '#lib/installation';
import { GuardedAnswers } from '../change-request/guarded-answers.js';
import { stageModule } from '../stage-module.js';
import { ProvenRunners } from './proven-runners.js';
import { RunnerGuard } from './runner.guard.js';
import { RunnerController } from './runner.controller.js';
import { RunnerCallsController } from './runner-calls.controller.js';
import { RunnersController } from './runners.controller.js';

@Module({})
export class RunnerModule {
  static of({ runnerPool, identity }: Installation): DynamicModule {
    return stageModule(RunnerModule, {
      controllers: [RunnersController, RunnerCallsController, RunnerController],
      helpers: [GuardedAnswers, ProvenRunners, RunnerGuard],
      uses: [
        runnerPool.readRunners,
        runnerPool.readCalls,
        runnerPool.addRunner,
        runnerPool.revokeRunner,
        runnerPool.verifyProof,
        runnerPool.enrolRunner,
        runnerPool.introduceRunner,
        runnerPool.leavePool,
        runnerPool.rotateRunnerKey,
        runnerPool.takeCall,
        runnerPool.reportCall,
        identity.readRoles,
      ],
    });
  }
}
