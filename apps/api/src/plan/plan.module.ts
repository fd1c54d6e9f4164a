import { Module, type DynamicModule } from '@nestjs/common';
import type { Installation } from '#lib/installation';
import { stageModule } from '../stage-module.js';
import { PlansController } from './plans.controller.js';

@Module({})
export class PlanModule {
  static of({ autonomy, plan }: Installation): DynamicModule {
    return stageModule(PlanModule, {
      controllers: [PlansController],
      uses: [
        autonomy.locateAutonomyLine,
        plan.submitPlan,
        plan.withdrawPlan,
        plan.getPlan,
        plan.listPlans,
        plan.diffPlans,
      ],
    });
  }
}
