import { closeSync, openSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Client, type Connection, type Submittable } from 'pg';
import { makeFolderSync } from '#lib/folders';

import { TarEntries } from './tar-entries.js';

/** The kinds of message within the stream (PostgreSQL manual, 54.4, BASE_BACKUP). */
const NEW_ARCHIVE = 'n';
const CONTENT = 'd';

/** Its log is part of the copy, so that it can be replayed to a consistent state by itself. */
const BASE_BACKUP = "BASE_BACKUP (LABEL 'countersign standby', WAL true, CHECKPOINT 'fast', MANIFEST 'no')";

/**
 * Copies a running server's data into an empty folder, by the replication protocol: the login needs REPLICATION and nothing else.
 *
 * @param url of the server, by that login.
 * @throws if the server has table spaces outside its folder, or refuses.
 */
export async function copyServer(url: string, folder: string): Promise<void> {
  // A driver that is told so speaks the replication protocol; its types do not know it.
  const config = { connectionString: url, replication: 'true', application_name: 'countersign-standby-copy' };
  const client = new Client(config);
  client.on('error', () => undefined);
  await client.connect();
  try {
    await new Promise<void>((resolve, reject) => {
      client.query(
        new Backup(folder, (error) => {
          if (error === null) resolve();
          else reject(error);
        }),
      );
    });
  } finally {
    await client.end();
  }
}

/** One running backup, as the driver wants it. Files are written at once: memory holds no more than one message. */
class Backup implements Submittable {
  #file: number | null = null;
  #archives = 0;
  #failure: Error | null = null;
  readonly #entries: TarEntries;

  constructor(
    folder: string,
    private readonly done: (error: Error | null) => void,
  ) {
    this.#entries = new TarEntries({
      begin: ({ name, kind }) => {
        const path = join(folder, name);
        if (kind === 'folder') makeFolderSync(path);
        if (kind !== 'file') return;
        makeFolderSync(dirname(path));
        this.#file = openSync(path, 'w', 0o600);
      },
      data: (part) => {
        if (this.#file !== null) writeSync(this.#file, part);
      },
      end: () => {
        if (this.#file !== null) closeSync(this.#file);
        this.#file = null;
      },
    });
  }

  submit(connection: Connection): void {
    connection.query(BASE_BACKUP);
  }

  handleCopyData({ chunk }: { readonly chunk: Buffer }): void {
    if (this.#failure !== null) return;
    try {
      const kind = String.fromCharCode(chunk[0] ?? 0);
      if (kind === NEW_ARCHIVE && ++this.#archives > 1) throw new Error('The server has table spaces of its own.');
      if (kind === CONTENT) this.#entries.push(chunk.subarray(1));
    } catch (error) {
      this.#failure = error instanceof Error ? error : new Error(String(error));
    }
  }

  handleError(error: Error): void {
    this.#failure ??= error;
    this.done(this.#failure);
  }

  handleReadyForQuery(): void {
    this.done(this.#failure);
  }

  handleRowDescription(): void {
    // The positions in the log are in the copy's own label, too.
  }

  handleDataRow(): void {
    // As above.
  }

  handleCommandComplete(): void {
    // The last of several results is told by ReadyForQuery.
  }
}
