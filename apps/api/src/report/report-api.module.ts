import { Module } from '@nestjs/common';
import { OverviewController } from './overview.controller.js';
import { SetUpController } from './set-up.controller.js';
import { ReportsController } from './reports.controller.js';
import { SearchController } from './search.controller.js';

@Module({ controllers: [OverviewController, ReportsController, SearchController, SetUpController] })
export class ReportApiModule {}
