import { Module, type DynamicModule } from '@nestjs/common';
import type { Installation } from '#lib/installation';
import { stageModule } from '../stage-module.js';
import { SessionCallsController } from './session-calls.controller.js';
import { SessionsController } from './sessions.controller.js';
import { SessionTrustsController } from './session-trusts.controller.js';

@Module({})
export class SessionModule {
  static of({ session, toolCall }: Installation): DynamicModule {
    return stageModule(SessionModule, {
      controllers: [SessionsController, SessionCallsController, SessionTrustsController],
      uses: [
        session.openSession,
        session.readSessions,
        session.changeSessionAutonomy,
        session.endSession,
        session.listTrusts,
        session.revokeTrust,
        toolCall.countSessionCalls,
        toolCall.listSessionCalls,
      ],
    });
  }
}
