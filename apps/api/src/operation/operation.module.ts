import { Module, type DynamicModule } from '@nestjs/common';
import type { Installation } from '#lib/installation';
import { Metrics } from '#lib/operation';
import { ApiDescription } from './api-description.js';
import { DescriptionController } from './description.controller.js';
import { HealthController } from './health.controller.js';
import { READINESS_CHECKS, readinessChecks } from './readiness.js';

/** Health, metrics, and the description of the API itself. */
@Module({})
export class OperationModule {
  static of({ database, policy }: Installation, metrics: Metrics): DynamicModule {
    return {
      module: OperationModule,
      global: true,
      controllers: [HealthController, DescriptionController],
      providers: [
        ApiDescription,
        { provide: Metrics, useValue: metrics },
        { provide: READINESS_CHECKS, useValue: readinessChecks(database, policy.decisionPoint) },
      ],
      exports: [Metrics],
    };
  }
}
