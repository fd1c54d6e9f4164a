import { Module } from '@nestjs/common';
import { RunEventStreams } from './run-event-streams.js';
import { RunsController } from './runs.controller.js';

@Module({ controllers: [RunsController], providers: [RunEventStreams] })
export class RunApiModule {}
