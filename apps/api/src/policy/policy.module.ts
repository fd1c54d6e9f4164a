import { Module, type DynamicModule } from '@nestjs/common';
import type { Installation } from '#lib/installation';
import { stageModule } from '../stage-module.js';
import { AnswerToolCall } from './answer-tool-call.js';
import { CallOutputs } from './call-outputs.js';
import { DecisionLogController, DecisionsController } from './decisions.controller.js';
import { SessionToolCallsController } from './session-tool-calls.controller.js';
import { ShellController } from './shell.controller.js';
import { ToolCallOutputController } from './tool-call-output.controller.js';
import { ToolCallWaits } from './tool-call-waits.js';
import { ToolCallsController } from './tool-calls.controller.js';

@Module({})
export class PolicyModule {
  static of({ policy, runnerPool, toolCall }: Installation): DynamicModule {
    return stageModule(PolicyModule, {
      controllers: [
        DecisionLogController,
        DecisionsController,
        SessionToolCallsController,
        ShellController,
        ToolCallOutputController,
        ToolCallsController,
      ],
      helpers: [AnswerToolCall, CallOutputs, ToolCallWaits],
      uses: [
        policy.readDecisions,
        toolCall.submitToolCall,
        toolCall.getToolCall,
        toolCall.cancelToolCall,
        toolCall.takeToolCall,
        toolCall.reportToolCall,
        toolCall.resolveToolCall,
        toolCall.appendCallOutput,
        toolCall.readCallOutput,
        runnerPool.readCalls,
      ],
    });
  }
}
