import { Module, type DynamicModule } from '@nestjs/common';
import { InstallationModule } from '#module/installation';
import type { Database } from '#lib/database';
import type { InstallationConfig } from '#lib/installation';

/** Everything that background work needs: the installation itself, and nothing that serves requests. */
@Module({})
export class WorkerModule {
  static of(config: InstallationConfig, database: Database): DynamicModule {
    return { module: WorkerModule, imports: [InstallationModule.of(config, database)] };
  }
}
