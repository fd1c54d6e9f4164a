import { Module, type DynamicModule } from '@nestjs/common';
import {
  DATABASE,
  ENCLOSING_TRANSACTIONS,
  JOB_QUEUE,
  JOB_WORKER,
  REHEARSALS,
  SYSTEM_QUERY,
  UNIT_OF_WORK,
  type Database,
} from '#lib/database';

/**
 * Gives an application the ports of an opened database. Whoever opened it closes it, after the application: api and
 * worker in one process share one. Nothing here exports the DataSource.
 */
@Module({})
export class DatabaseModule {
  static of(database: Database): DynamicModule {
    const providers = [
      { provide: DATABASE, useValue: database },
      { provide: UNIT_OF_WORK, useValue: database.uow },
      { provide: REHEARSALS, useValue: database.rehearsals },
      { provide: ENCLOSING_TRANSACTIONS, useValue: database.enclosingTransactions },
      { provide: SYSTEM_QUERY, useValue: database.systemQuery },
      { provide: JOB_QUEUE, useValue: database.jobQueue },
      { provide: JOB_WORKER, useValue: database.jobWorker },
    ];
    return { module: DatabaseModule, global: true, providers, exports: providers.map(({ provide }) => provide) };
  }
}
