import { Module, type DynamicModule } from '@nestjs/common';
import type { Installation } from '#lib/installation';
import { GuardedAnswers } from '../change-request/guarded-answers.js';
import { stageModule } from '../stage-module.js';
import { SiemController } from './siem.controller.js';

@Module({})
export class SiemModule {
  static of({ siem, identity }: Installation): DynamicModule {
    return stageModule(SiemModule, {
      controllers: [SiemController],
      helpers: [GuardedAnswers],
      uses: [
        siem.collector.read,
        siem.collector.change,
        siem.collector.remove,
        siem.collector.setToken,
        siem.collector.test,
        siem.readProgress,
        identity.readRoles,
      ],
    });
  }
}
