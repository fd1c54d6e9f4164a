import { Module, type DynamicModule } from '@nestjs/common';
import type { Installation } from '#lib/installation';
import { stageModule } from '../stage-module.js';
import { OverviewController } from './overview.controller.js';
import { ReportsController } from './reports.controller.js';
import { SearchController } from './search.controller.js';
import { SetUpController } from './set-up.controller.js';

@Module({})
export class ReportModule {
  static of({ approval, report, audit }: Installation): DynamicModule {
    return stageModule(ReportModule, {
      controllers: [OverviewController, ReportsController, SearchController, SetUpController],
      uses: [
        approval.countReviewers,
        report.reportProductionChanges,
        report.readOverview,
        report.readSetUp,
        report.findAnything,
        audit.evidencePack,
      ],
    });
  }
}
