import { Module, type DynamicModule } from '@nestjs/common';
import type { Installation } from '#lib/installation';
import { stageModule } from '../stage-module.js';
import { InboxController } from './inbox.controller.js';

@Module({})
export class InboxModule {
  static of({ changes, autonomy, approval, incident }: Installation): DynamicModule {
    return stageModule(InboxModule, {
      controllers: [InboxController],
      uses: [
        changes.readChanges,
        autonomy.locateAutonomyLine,
        approval.readRequests,
        approval.readQueue,
        approval.changeAbsences,
        incident.readIncidents,
      ],
    });
  }
}
