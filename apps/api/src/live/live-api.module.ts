import { Module } from '@nestjs/common';
import { HttpModule } from '../http/http.module.js';
import { LiveController } from './live.controller.js';
import { LiveEventStreams } from './live-event-streams.js';

@Module({ imports: [HttpModule], controllers: [LiveController], providers: [LiveEventStreams] })
export class LiveApiModule {}
