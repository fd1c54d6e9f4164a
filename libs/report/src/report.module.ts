import { Global, Module, type FactoryProvider } from '@nestjs/common';
import { UNIT_OF_WORK } from '#lib/database';
import type { UnitOfWork } from '#lib/kernel';
import { ReadOverview, ReportProductionChanges, SqlOverview, SqlProductionChanges } from '#lib/report';

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
];

/** Reports and the overview. */
@Global()
@Module({ providers, exports: providers.map(({ provide }) => provide) })
export class ReportModule {}
