import { Module, type DynamicModule } from '@nestjs/common';
import type { Installation } from '#lib/installation';
import { RequestHeadlines } from '../approval/request-headlines.js';
import { Headlines } from '../plan/headlines.js';
import { stageModule } from '../stage-module.js';
import { InboxController } from './inbox.controller.js';

@Module({})
export class InboxModule {
  static of({ changes, autonomy, plan, approval, incident }: Installation): DynamicModule {
    return stageModule(InboxModule, {
      controllers: [InboxController],
      helpers: [Headlines, RequestHeadlines],
      uses: [
        changes.readChanges,
        autonomy.locateAutonomyLine,
        plan.readHeadlines,
        approval.readRequests,
        approval.readQueue,
        approval.changeAbsences,
        incident.readIncidents,
      ],
    });
  }
}
