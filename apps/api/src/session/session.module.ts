import { Module, type DynamicModule } from '@nestjs/common';
import type { Installation } from '#lib/installation';
import { stageModule } from '../stage-module.js';
import { SessionsController } from './sessions.controller.js';
import { SessionTrustsController } from './session-trusts.controller.js';

@Module({})
export class SessionModule {
  static of({ session }: Installation): DynamicModule {
    return stageModule(SessionModule, {
      controllers: [SessionsController, SessionTrustsController],
      uses: [
        session.openSession,
        session.readSessions,
        session.changeSessionAutonomy,
        session.endSession,
        session.listTrusts,
        session.revokeTrust,
      ],
    });
  }
}
