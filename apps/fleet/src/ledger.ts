import { closeSync, existsSync, fsyncSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolderSync } from '#lib/folders';
import type { GrantClaims } from '#lib/formats';

/** One thing that was done to the fleet, or asked for once more, in the order it was. */
export interface LedgerEntry {
  readonly number: number;
  readonly at: string;
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** The caller, from the grant, so that a doubled call is seen here, independent of the caller's own records. */
  readonly grant: string;
  readonly tenant: string;
  readonly environment: string;
  readonly source: GrantClaims['source'] | null;
  readonly step: string;
  readonly attempt: number;
  /** The caller's key: the same for every attempt at one step. Null for an entry without a call. */
  readonly idempotency_key: string | null;
  /** The answer, which a repeated call gets again. */
  readonly result: unknown;
  /** The number of the entry that had already done the work of this call; null if this call did it. */
  readonly repeats: number | null;
}

/** An entry before it has a number and a time. */
export type LedgerRecord = Omit<LedgerEntry, 'number' | 'at'>;

/**
 * The fleet's own memory of every call that asked for a change: one JSON line each, on disk before the change counts as
 * done. A line that a crash cut short was never acknowledged, and is cut off at the next start.
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
      .map((line) => JSON.parse(line) as LedgerEntry);
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
