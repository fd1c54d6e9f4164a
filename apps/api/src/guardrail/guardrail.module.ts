import { Module, type DynamicModule } from '@nestjs/common';
import type { Installation } from '#lib/installation';
import { stageModule } from '../stage-module.js';
import { ChangesController } from './changes.controller.js';

/** Changes that wait, and the answers of the routes whose changes may. */
@Module({})
export class GuardrailModule {
  static of({ identity, changes }: Installation): DynamicModule {
    return stageModule(GuardrailModule, {
      controllers: [ChangesController],
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
