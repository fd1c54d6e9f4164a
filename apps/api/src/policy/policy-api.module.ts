import { Module } from '@nestjs/common';
import { DecisionsController } from './decisions.controller.js';
import { ToolCallsController } from './tool-calls.controller.js';

@Module({ controllers: [DecisionsController, ToolCallsController] })
export class PolicyApiModule {}
