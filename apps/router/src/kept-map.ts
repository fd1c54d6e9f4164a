import { randomUUID } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';
import { Cells } from '#lib/cell-map';
import { makeFolder } from '#lib/folders';
import type { TenantId } from '#lib/kernel';
import { storedId } from '#lib/formats';

/** A reading of the map, and when it was made, in epoch milliseconds. */
export interface Reading {
  readonly cells: Cells;
  readonly at: number;
}

const readingSchema = z.object({
  at: z.number(),
  cells: z.array(z.object({ name: z.string(), url: z.string(), isDefault: z.boolean() })),
  tenants: z.array(
    z.object({
      id: storedId<TenantId>(),
      slug: z.string(),
      host: z.string().nullable(),
      cell: z.string(),
    }),
  ),
  teams: z.array(z.object({ appId: z.string(), teamId: z.string(), tenantId: storedId<TenantId>() })),
});

/** The last reading of the map in a file, for a router that starts while the map's database is away. */
export class KeptMap {
  constructor(private readonly path: string) {}

  /** Null if there is no file. @throws if it holds something else. */
  async read(): Promise<Reading | null> {
    try {
      const { at, ...rows } = readingSchema.parse(JSON.parse(await readFile(this.path, 'utf8')));
      return { cells: new Cells(rows), at };
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
      throw error;
    }
  }

  /** Whole or not at all: a router may start at any moment. */
  async write({ cells, at }: Reading): Promise<void> {
    await makeFolder(dirname(this.path));
    const unfinished = `${this.path}.${randomUUID()}`;
    await writeFile(unfinished, JSON.stringify({ at, ...cells.rows }), { mode: 0o600 });
    await rename(unfinished, this.path);
  }
}
