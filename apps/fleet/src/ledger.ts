import { closeSync, existsSync, fsyncSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import { jsonIn } from '#lib/client';
import { makeFolderSync } from '#lib/folders';
import { grantClaimsSchema } from '#lib/formats';

/** One thing that was done to the fleet, or asked for once more, in the order it was. */
const entrySchema = z.strictObject({
  number: z.int(),
  at: z.string(),
  tool: z.string(),
  arguments: z.record(z.string(), z.json()),
  /** The caller, from the grant, so that a doubled call is seen here, independent of the caller's own records. */
  grant: z.string(),
  tenant: z.string(),
  environment: z.string(),
  source: grantClaimsSchema.shape.source.nullable(),
  step: z.string(),
  attempt: z.int(),
  /** The caller's key: the same for every attempt at one step. Null for an entry without a call. */
  idempotency_key: z.string().nullable(),
  /** The answer, which a repeated call gets again. */
  result: z.json(),
  /** The number of the entry that had already done the work of this call; null if this call did it. */
  repeats: z.int().nullable(),
});
export type LedgerEntry = z.infer<typeof entrySchema>;

function entryIn(line: string, index: number): LedgerEntry {
  const { data } = entrySchema.safeParse(jsonIn(line));
  if (data === undefined) throw new Error(`line ${String(index + 1)} is no entry of a ledger.`);
  return data;
}

/** An entry before it has a number and a time. */
export type LedgerRecord = Omit<LedgerEntry, 'number' | 'at'>;

/**
 * The fleet's own memory of every call that asked for a change. Each is one JSON line, on disk before the change counts as done.
 * A line that a crash cut short was never acknowledged, and is cut off at the next start.
 */
export class Ledger {
  private constructor(
    private readonly file: number,
    private readonly kept: LedgerEntry[],
  ) {}

  static open(path: string): Ledger {
    makeFolderSync(dirname(path), 0o777);
    const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
    const whole = text.slice(0, text.lastIndexOf('\n') + 1);
    const file = openSync(path, 'a');
    if (whole.length < text.length) ftruncateSync(file, Buffer.byteLength(whole));
    const entries = whole
      .split('\n')
      .filter((line) => line !== '')
      .map(entryIn);
    return new Ledger(file, entries);
  }

  get entries(): readonly LedgerEntry[] {
    return this.kept;
  }

  /** The entry under this key; undefined if there is none. */
  doneUnder(tenant: string, idempotencyKey: string): LedgerEntry | undefined {
    return this.kept.find(
      (entry) => entry.repeats === null && entry.tenant === tenant && entry.idempotency_key === idempotencyKey,
    );
  }

  append(record: LedgerRecord): LedgerEntry {
    const entry: LedgerEntry = { number: this.kept.length + 1, at: new Date().toISOString(), ...record };
    writeSync(this.file, `${JSON.stringify(entry)}\n`);
    fsyncSync(this.file);
    this.kept.push(entry);
    return entry;
  }

  close(): void {
    closeSync(this.file);
  }
}
