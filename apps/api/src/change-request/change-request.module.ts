import { Module, type DynamicModule } from '@nestjs/common';
import type { Installation } from '#lib/installation';
import { stageModule } from '../stage-module.js';
import { ChangeRequestsController } from './change-requests.controller.js';

/** Change requests, and the answers of routes that may open one. */
@Module({})
export class ChangeRequestModule {
  static of({ identity, changes }: Installation): DynamicModule {
    return stageModule(ChangeRequestModule, {
      controllers: [ChangeRequestsController],
      uses: [
        identity.readIdentity,
        identity.readRoles,
        changes.rejectChange,
        changes.withdrawChange,
        changes.readChanges,
        changes.confirmChange,
      ],
    });
  }
}
