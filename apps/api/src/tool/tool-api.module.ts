import { Module } from '@nestjs/common';
import { ExecutorsController } from './executors.controller.js';
import { ToolsController } from './tools.controller.js';

@Module({ controllers: [ToolsController, ExecutorsController] })
export class ToolApiModule {}
