import { Module, type DynamicModule } from '@nestjs/common';
import { DATABASE } from '#lib/database';
import { Metrics } from '#lib/operation';
import { PolicyDecisionPoint } from '#lib/policy';
import { HttpModule } from '../http/http.module.js';
import { ApiDescription } from './api-description.js';
import { DescriptionController } from './description.controller.js';
import { HealthController } from './health.controller.js';
import { READINESS_CHECKS, readinessChecks } from './readiness.js';

/** Health, figures, and the description of the API itself. */
@Module({})
export class OperationModule {
  static of(metrics: Metrics): DynamicModule {
    return {
      module: OperationModule,
      global: true,
      imports: [HttpModule],
      controllers: [HealthController, DescriptionController],
      providers: [
        ApiDescription,
        { provide: Metrics, useValue: metrics },
        { provide: READINESS_CHECKS, useFactory: readinessChecks, inject: [DATABASE, PolicyDecisionPoint] },
      ],
      exports: [Metrics],
    };
  }
}
