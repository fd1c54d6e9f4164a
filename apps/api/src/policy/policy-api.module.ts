import { Module } from '@nestjs/common';
import { DecisionLogController, DecisionsController } from './decisions.controller.js';
import { ToolCallsController } from './tool-calls.controller.js';

@Module({ controllers: [DecisionLogController, DecisionsController, ToolCallsController] })
export class PolicyApiModule {}
