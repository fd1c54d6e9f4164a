import { z } from 'zod';

const entrySchema = z.discriminatedUnion('kind', [
  z.strictObject({ path: z.string(), kind: z.literal('file'), mode: z.int(), digest: z.string(), size: z.int() }),
  /** `whole`: the snapshot holds all of its entries, so that any other is removed. */
  z.strictObject({ path: z.string(), kind: z.literal('folder'), mode: z.int(), whole: z.boolean() }),
  z.strictObject({ path: z.string(), kind: z.literal('symlink'), target: z.string() }),
  z.strictObject({ path: z.string(), kind: z.literal('absent') }),
  /** A folder that was missing on the way to an entry: a rollback removes it if it is empty. */
  z.strictObject({ path: z.string(), kind: z.literal('absent_way') }),
]);

/** The stored state of one entry. Paths have `/` between names; the root is the empty text. */
export type ManifestEntry = z.infer<typeof entrySchema>;

/** A snapshot as it is stored: version 1. An entry stands after the folders above it. */
export const manifestSchema = z.strictObject({
  version: z.literal(1),
  /** The real path of the root that it was taken of. */
  root: z.string(),
  entries: z.array(entrySchema),
});
export type Manifest = z.infer<typeof manifestSchema>;
