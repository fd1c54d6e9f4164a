import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { StartEpoch, type StartEpochCommand } from '#lib/audit';
import { databaseConfigFrom, openDatabase, packageRoot } from '#lib/database';
import { PostgresTenantDirectory } from '#lib/sign-in';
import { WorkerModule } from '../../worker/src/worker.module.js';
import { workerConfigFrom } from '../../worker/src/worker-config.js';
import { CommandError, EXIT } from './exit-codes.js';

const ignore = (): void => undefined;

/** Begins a new epoch of a tenant's log on the database itself, with the installation's own keys. */
export async function startEpochAsOperator(
  slug: string | undefined,
  command: StartEpochCommand,
): Promise<{ readonly tenant: string; readonly epoch: number }> {
  const root = packageRoot();
  const database = await openDatabase(databaseConfigFrom(process.env, root), {
    applicationName: 'countersign-restored',
    poolSize: 4,
    onError: ignore,
  });
  try {
    const tenants = new PostgresTenantDirectory(database.systemQuery);
    const tenantId = await (slug === undefined ? tenants.only() : tenants.bySlug(slug));
    if (tenantId === null)
      throw new CommandError(
        EXIT.usage,
        slug === undefined ? 'There is no tenant, or more than one.' : 'There is no such tenant.',
        'Say which: --tenant SLUG.',
        [],
        'restored.tenant',
      );
    const worker = WorkerModule.of(workerConfigFrom(process.env, root), database);
    // eslint-disable-next-line @typescript-eslint/no-unsafe-class-instance-assignment -- Nest takes plain options
    const context = await NestFactory.createApplicationContext(worker, { logger: false, abortOnError: false });
    try {
      const epoch = await context.get(StartEpoch).executeAsOperator(tenantId, command);
      return { tenant: slug ?? tenantId, epoch };
    } finally {
      await context.close();
    }
  } finally {
    await database.close();
  }
}
