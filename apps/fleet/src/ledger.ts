import { closeSync, existsSync, fsyncSync, ftruncateSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

/** One thing that was done to the fleet, in the order it was done. */
export interface LedgerEntry {
  readonly number: number;
  readonly at: string;
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** From the grant: who asked, so that a doubled call is seen here whatever the asker believes. */
  readonly grant: string;
  readonly tenant: string;
  readonly environment: string;
  readonly run: string | null;
  readonly step: string;
  readonly attempt: number;
}

/** What an entry says before it has a number and a time. */
export type LedgerRecord = Omit<LedgerEntry, 'number' | 'at'>;

/**
 * The fleet's own memory of every change: one JSON line each, on disk before the change counts as done. A line that a
 * crash cut short was never acknowledged, and is cut off at the next start.
 */
export class Ledger {
  private constructor(
    private readonly file: number,
    private readonly kept: LedgerEntry[],
  ) {}

  static open(path: string): Ledger {
    mkdirSync(dirname(path), { recursive: true });
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
