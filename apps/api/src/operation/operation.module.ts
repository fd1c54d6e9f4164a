import { Module, type DynamicModule } from '@nestjs/common';
import { DATABASE, type Database } from '#lib/database';
import { Metrics } from '#lib/operation';
import { HttpModule } from '../http/http.module.js';
import { ApiDescription } from './api-description.js';
import { DescriptionController } from './description.controller.js';
import { HealthController } from './health.controller.js';
import { READINESS_CHECKS, type ReadinessCheck } from './readiness.js';

const readiness = (database: Database): ReadinessCheck[] => [{ name: 'database', check: () => database.ping() }];

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
        { provide: READINESS_CHECKS, useFactory: readiness, inject: [DATABASE] },
      ],
      exports: [Metrics],
    };
  }
}
