import { Global, Module, type FactoryProvider } from '@nestjs/common';
import { UNIT_OF_WORK } from '#lib/database';
import { PostgresSeats } from '#lib/identity';
import { ROW_SEALS, type RowSeals, type UnitOfWork } from '#lib/kernel';
import {
  ReadOverview,
  ReadSetUp,
  ReportProductionChanges,
  SqlOverview,
  SqlProductionChanges,
  SqlSetUp,
  FindAnything,
  SqlFindings,
} from '#lib/report';

const providers: FactoryProvider[] = [
  {
    provide: ReportProductionChanges,
    inject: [UNIT_OF_WORK],
    useFactory: (uow: UnitOfWork) => new ReportProductionChanges(uow, new SqlProductionChanges()),
  },
  {
    provide: ReadOverview,
    inject: [UNIT_OF_WORK],
    useFactory: (uow: UnitOfWork) => new ReadOverview(uow, new SqlOverview()),
  },
  {
    provide: ReadSetUp,
    inject: [UNIT_OF_WORK, ROW_SEALS],
    useFactory: (uow: UnitOfWork, seals: RowSeals) => new ReadSetUp(uow, new SqlSetUp(new PostgresSeats(seals))),
  },
  {
    provide: FindAnything,
    inject: [UNIT_OF_WORK],
    useFactory: (uow: UnitOfWork) => new FindAnything(uow, new SqlFindings()),
  },
];

/** Reports and the overview. */
@Global()
@Module({ providers, exports: providers.map(({ provide }) => provide) })
export class ReportModule {}
