import { Module } from '@nestjs/common';
import { AuditController } from './audit.controller.js';
import { EvidenceController } from './evidence.controller.js';

@Module({ controllers: [AuditController, EvidenceController] })
export class AuditApiModule {}
