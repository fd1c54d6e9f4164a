import { Module } from '@nestjs/common';
import { HttpModule } from '../http/http.module.js';
import { RunEventStreams } from './run-event-streams.js';
import { RunsController } from './runs.controller.js';

@Module({ imports: [HttpModule], controllers: [RunsController], providers: [RunEventStreams] })
export class RunApiModule {}
