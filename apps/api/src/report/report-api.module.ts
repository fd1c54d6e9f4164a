import { Module } from '@nestjs/common';
import { OverviewController } from './overview.controller.js';
import { SetUpController } from './set-up.controller.js';
import { ReportsController } from './reports.controller.js';

@Module({ controllers: [OverviewController, ReportsController, SetUpController] })
export class ReportApiModule {}
