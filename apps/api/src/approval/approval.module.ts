import { Module, type DynamicModule } from '@nestjs/common';
import type { Installation } from '#lib/installation';
import { stageModule } from '../stage-module.js';
import { AbsencesController } from './absences.controller.js';
import { ApprovalRequestsController } from './approval-requests.controller.js';
import { QueueController } from './queue.controller.js';

@Module({})
export class ApprovalModule {
  static of({ autonomy, task, approval }: Installation): DynamicModule {
    return stageModule(ApprovalModule, {
      controllers: [ApprovalRequestsController, QueueController, AbsencesController],
      uses: [
        autonomy.locateAutonomyLine,
        task.getTask,
        approval.openRequest,
        approval.submitReview,
        approval.withdrawRequest,
        approval.countReviewers,
        approval.readRequests,
        approval.readTaskHistory,
        approval.readReviewers,
        approval.readQueue,
        approval.claimRequest,
        approval.changeAbsences,
        approval.readStatistics,
      ],
    });
  }
}
