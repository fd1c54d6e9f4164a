import { Module } from '@nestjs/common';
import { AuditController } from './audit.controller.js';
import { AuditRetentionController } from './audit-retention.controller.js';
import { EvidenceController } from './evidence.controller.js';

@Module({ controllers: [AuditController, AuditRetentionController, EvidenceController] })
export class AuditApiModule {}
