import { Module } from '@nestjs/common';
import { OverviewController } from './overview.controller.js';
import { ReportsController } from './reports.controller.js';

@Module({ controllers: [OverviewController, ReportsController] })
export class ReportApiModule {}
