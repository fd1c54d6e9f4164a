import { Module } from '@nestjs/common';
import { ApprovalRequestsController } from './approval-requests.controller.js';

@Module({ controllers: [ApprovalRequestsController] })
export class ApprovalApiModule {}
