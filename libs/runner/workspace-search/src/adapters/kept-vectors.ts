import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { makeFolder } from '#lib/folders';

/** The vectors of pieces, by the digest of their file and their lines. */
export type PieceVectors = Map<string, Int8Array>;

/** The vectors that a session keeps, and how its embedder answered. */
export interface KeptVectors {
  readonly vectors: PieceVectors;
  /** How many texts it gives vectors for in time; null before it was asked. */
  readonly batch: number | null;
  /** The key of the piece whose vector came too late the last time, asked for alone; null if none did. */
  readonly late: string | null;
}

const VERSION = 2;
const FILE = 'workspace-vectors.bin';
/** Vectors that are being written: a process that was killed leaves them. No two processes or threads write them. */
const MAKING = `${FILE}.new`;
const LENGTH_BYTES = 4;

const headerSchema = z.strictObject({
  version: z.literal(VERSION),
  /** The model and its server: vectors of others are not comparable. */
  madeBy: z.string(),
  dimensions: z.int().min(0),
  batch: z.int().min(1).nullable(),
  late: z.string().nullable(),
  keys: z.array(z.string()),
});

/** The vectors in the folder of a session. Empty if there are none, or they are of another model, or damaged. */
export async function readVectors(folder: string, madeBy: string): Promise<KeptVectors> {
  await rm(join(folder, MAKING), { force: true });
  try {
    const stored = await readFile(join(folder, FILE));
    const from = LENGTH_BYTES + stored.readUInt32LE(0);
    const header = headerSchema.parse(JSON.parse(stored.toString('utf8', LENGTH_BYTES, from)));
    const { dimensions, batch, late, keys } = header;
    if (header.madeBy === madeBy && stored.length === from + keys.length * dimensions)
      return {
        ...{ batch, late },
        vectors: new Map(
          keys.map((key, at) => [
            key,
            new Int8Array(stored.buffer, stored.byteOffset + from + at * dimensions, dimensions),
          ]),
        ),
      };
  } catch {
    // They are made anew.
  }
  return { vectors: new Map(), batch: null, late: null };
}

/** Puts vectors of one length in their place at once. The folder is the runner's alone. */
export async function writeVectors(folder: string, madeBy: string, { vectors, ...more }: KeptVectors): Promise<void> {
  await makeFolder(folder);
  const [dimensions = 0] = [...vectors.values()].map((vector) => vector.length);
  const kept = [...vectors].filter(([, vector]) => vector.length === dimensions);
  const header: z.infer<typeof headerSchema> = {
    version: VERSION,
    madeBy,
    dimensions,
    ...more,
    keys: kept.map(([key]) => key),
  };
  const spelt = Buffer.from(JSON.stringify(header));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32LE(spelt.length);
  const parts = kept.map(([, { buffer, byteOffset, byteLength }]) => Buffer.from(buffer, byteOffset, byteLength));
  await writeFile(join(folder, MAKING), Buffer.concat([length, spelt, ...parts]), { mode: 0o600 });
  await rename(join(folder, MAKING), join(folder, FILE));
}
