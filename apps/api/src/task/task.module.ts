import { Module, type DynamicModule } from '@nestjs/common';
import type { Installation } from '#lib/installation';
import { stageModule } from '../stage-module.js';
import { TasksController } from './tasks.controller.js';

@Module({})
export class TaskModule {
  static of({ policy, autonomy, task, plan }: Installation): DynamicModule {
    return stageModule(TaskModule, {
      controllers: [TasksController],
      uses: [
        policy.readDecisions,
        autonomy.locateAutonomyLine,
        task.createTask,
        task.getTask,
        task.listTasks,
        task.cancelTask,
        plan.readHeadlines,
      ],
    });
  }
}
