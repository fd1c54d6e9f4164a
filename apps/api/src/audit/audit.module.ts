import { Module, type DynamicModule } from '@nestjs/common';
import type { Installation } from '#lib/installation';
import { GuardedAnswers } from '../change-request/guarded-answers.js';
import { stageModule } from '../stage-module.js';
import { AuditRetentionController } from './audit-retention.controller.js';
import { AuditController } from './audit.controller.js';
import { CallDecisionViews } from './call-decision-views.js';
import { EvidenceController } from './evidence.controller.js';

@Module({})
export class AuditModule {
  static of({ identity, audit, tool }: Installation): DynamicModule {
    return stageModule(AuditModule, {
      controllers: [AuditController, AuditRetentionController, EvidenceController],
      helpers: [CallDecisionViews, GuardedAnswers],
      uses: [
        identity.readRoles,
        tool.readRegistry,
        audit.retention,
        audit.startEpoch,
        audit.rotateKey,
        audit.evidencePack,
        audit.log.listEntries,
        audit.log.listActions,
        audit.log.exportEntries,
        audit.log.getEntry,
        audit.log.latestCheckpoint,
        audit.log.consistencyProof,
        audit.log.listKeys,
      ],
    });
  }
}
