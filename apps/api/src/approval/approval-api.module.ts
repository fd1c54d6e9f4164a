import { Module } from '@nestjs/common';
import { AbsencesController } from './absences.controller.js';
import { ApprovalRequestsController } from './approval-requests.controller.js';
import { QueueController } from './queue.controller.js';

@Module({ controllers: [ApprovalRequestsController, QueueController, AbsencesController] })
export class ApprovalApiModule {}
