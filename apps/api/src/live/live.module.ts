import { Module, type DynamicModule } from '@nestjs/common';
import type { Installation } from '#lib/installation';
import { CallDecisionViews } from '../audit/call-decision-views.js';
import { CallOutputs } from '../policy/call-outputs.js';
import { useCases } from '../stage-module.js';
import { EventStreams } from './event-streams.js';
import { LiveController } from './live.controller.js';
import { LiveEventStreams } from './live-event-streams.js';
import { SessionCommands } from './session-commands.js';
import { SessionMessages } from './session-messages.js';
import { SessionSocketController } from './session-socket.controller.js';
import { SessionSockets } from './session-sockets.js';
import { STREAM_LIMITS, OpenStreams, type StreamLimits } from './open-streams.js';

@Module({})
export class LiveModule {
  static of(
    { audit, session, tool, toolCall, approval, runnerPool }: Installation,
    limits: StreamLimits,
  ): DynamicModule {
    return {
      module: LiveModule,
      // Each answer that waits counts as a stream, too.
      global: true,
      exports: [EventStreams, OpenStreams],
      controllers: [LiveController, SessionSocketController],
      providers: [
        EventStreams,
        LiveEventStreams,
        OpenStreams,
        { provide: STREAM_LIMITS, useValue: limits },
        SessionSockets,
        SessionCommands,
        SessionMessages,
        CallDecisionViews,
        CallOutputs,
        ...useCases([
          audit.log.followEntries,
          session.readSessions,
          session.changeSessionAutonomy,
          session.endSession,
          tool.readRegistry,
          toolCall.getToolCall,
          toolCall.readCallOutput,
          runnerPool.readCalls,
          approval.readRequests,
          approval.submitReview,
        ]),
      ],
    };
  }
}
