import { Module } from '@nestjs/common';
import { LiveController } from './live.controller.js';
import { LiveEventStreams } from './live-event-streams.js';

@Module({ controllers: [LiveController], providers: [LiveEventStreams] })
export class LiveApiModule {}
