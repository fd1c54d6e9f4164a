import { Module, type DynamicModule } from '@nestjs/common';
import { LiveController } from './live.controller.js';
import { LiveEventStreams } from './live-event-streams.js';
import { STREAM_LIMITS, StreamPlaces, type StreamLimits } from './stream-places.js';

@Module({})
export class LiveModule {
  static of(limits: StreamLimits): DynamicModule {
    return {
      module: LiveModule,
      controllers: [LiveController],
      providers: [LiveEventStreams, StreamPlaces, { provide: STREAM_LIMITS, useValue: limits }],
    };
  }
}
