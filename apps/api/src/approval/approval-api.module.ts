import { Module } from '@nestjs/common';
import { ApprovalRequestsController } from './approval-requests.controller.js';
import { QueueController } from './queue.controller.js';

@Module({ controllers: [ApprovalRequestsController, QueueController] })
export class ApprovalApiModule {}
