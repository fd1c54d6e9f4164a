import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrateDatabase, packageRoot, startEmbeddedPostgres, type EmbeddedPostgres } from '#lib/database';

type Stop = () => Promise<unknown>;

/** A PostgreSQL of a benchmark's own, migrated, that commits durably, in a folder that goes with it. */
export interface BenchDatabase {
  readonly directory: string;
  readonly postgres: EmbeddedPostgres;
  /** As the service's own role. */
  readonly url: string;
  /** Ends everything that was started on it, last first, and then the server. */
  stop(): Promise<void>;
}

/**
 * Starts one, and calls `build` with it, which names by `started` how to end the parts that it starts. If `build`
 * fails, all of them are ended.
 */
export async function onBenchDatabase<T>(
  build: (database: BenchDatabase, started: (stop: Stop) => void) => Promise<T>,
): Promise<T> {
  const directory = await mkdtemp(join(tmpdir(), 'countersign-bench-'));
  const stops: Stop[] = [() => rm(directory, { recursive: true, force: true })];
  const stop = async (): Promise<void> => {
    for (const each of stops.splice(0).reverse()) await each();
  };
  try {
    const postgres = await startEmbeddedPostgres({ directory: join(directory, 'postgres'), root: packageRoot() });
    stops.push(() => postgres.stop());
    const url = await postgres.url('countersign_app', 'postgres');
    await migrateDatabase({ adminUrl: postgres.adminUrl, appPassword: new URL(url).password });
    return await build({ directory, postgres, url, stop }, (each) => stops.push(each));
  } catch (error) {
    await stop();
    throw error;
  }
}
