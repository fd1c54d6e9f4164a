import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AsPlainObject } from 'minisearch';
import { z } from 'zod';
import { makeFolder } from '#lib/folders';
import { PieceIndex } from '../domain/piece-index.js';
import type { Piece } from '../domain/piece.js';
import { LEFT_OUT } from '../domain/search-job.js';

const pieceSchema = z.strictObject({
  id: z.int().min(0),
  firstLine: z.int().min(1),
  lastLine: z.int().min(1),
  symbols: z.array(z.string()).readonly(),
  kind: z.string().nullable(),
  imports: z.string(),
}) satisfies z.ZodType<Piece>;

const fileSchema = z
  .strictObject({
    size: z.int().min(0),
    /** Nanoseconds, in digits. */
    modified: z.string(),
    /** The SHA-256 of its content. */
    digest: z.string(),
    language: z.string(),
    /** The reason why it has no pieces; null if it has some. */
    leftOut: z.enum(LEFT_OUT).nullable(),
    pieces: z.array(pieceSchema).readonly(),
  })
  .readonly();
/** A file as the index has it. */
export type KeptFile = z.infer<typeof fileSchema>;

/** The index of one session: its files, and the terms of their pieces. */
export interface KeptIndex {
  readonly files: Map<string, KeptFile>;
  readonly pieces: PieceIndex;
  nextId: number;
}

/** Another way to cut or to read terms makes another index. */
const VERSION = 2;
const FILE = 'workspace-index.json';
/** An index that is being written: a process that was killed leaves it. No two processes or threads write one. */
const MAKING = `${FILE}.new`;

const storedSchema = z.strictObject({
  version: z.literal(VERSION),
  root: z.string(),
  nextId: z.int().min(0),
  files: z.array(z.tuple([z.string(), fileSchema])),
  /** MiniSearch reads its own part. */
  pieces: z.custom<AsPlainObject>((value) => typeof value === 'object' && value !== null),
});

/** The index in a folder. An empty one if there is none, or it is of another root or version, or damaged. */
export async function readIndex(folder: string, root: string): Promise<KeptIndex> {
  await rm(join(folder, MAKING), { force: true });
  try {
    const stored = storedSchema.parse(JSON.parse(await readFile(join(folder, FILE), 'utf8')));
    if (stored.root === root)
      return { files: new Map(stored.files), pieces: PieceIndex.of(stored.pieces), nextId: stored.nextId };
  } catch {
    // It is made anew.
  }
  return { files: new Map(), pieces: PieceIndex.empty(), nextId: 0 };
}

/** Puts the index in its place at once. The folder is the runner's alone. */
export async function writeIndex(folder: string, root: string, index: KeptIndex): Promise<void> {
  await makeFolder(folder);
  const { files, nextId, pieces } = index;
  const stored: z.infer<typeof storedSchema> = {
    version: VERSION,
    root,
    nextId,
    files: [...files],
    pieces: pieces.toJSON(),
  };
  await writeFile(join(folder, MAKING), JSON.stringify(stored), { mode: 0o600 });
  await rename(join(folder, MAKING), join(folder, FILE));
}

/** Removes the index of a folder, if it has one. */
export async function removeIndex(folder: string): Promise<void> {
  for (const name of [FILE, MAKING]) await rm(join(folder, name), { force: true });
}
