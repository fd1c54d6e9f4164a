import { mkdir, readdir, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import type { GrantClaims } from '#lib/formats';

/** No session rests longer (`idle_seconds` of the API), so the session of a folder without use for so long has ended. */
const LONGEST_REST_MS = 86_400_000;
const SWEEP_MS = 3_600_000;

/**
 * A folder for each session, in the data folder: tools keep things there from one call to the next. A run, or a call outside a session, has
 * one of its own. A folder goes with its session, and at the latest a day after its last use.
 */
export class SessionFolders {
  #sweptAt = -Infinity;

  /** @param folder the absolute path; this class alone makes and removes folders in it. */
  constructor(private readonly folder: string) {}

  /** The folder for a call. Using it keeps it. */
  async of({ session, source }: Pick<GrantClaims, 'session' | 'source'>, now: number): Promise<string> {
    const name = session === undefined ? `${source.type}-${source.id}` : `session-${session}`;
    const own = join(this.folder, name.replace(/[^\w-]/g, '_'));
    await mkdir(own, { recursive: true, mode: 0o700 });
    await utimes(own, now / 1_000, now / 1_000);
    if (now - this.#sweptAt > SWEEP_MS) {
      this.#sweptAt = now;
      await this.sweep(now);
    }
    return own;
  }

  /** Removes the folders without use for a day. */
  async sweep(now: number): Promise<void> {
    for (const name of await namesIn(this.folder)) {
      const path = join(this.folder, name);
      const used = (await stat(path).catch(() => null))?.mtimeMs ?? now;
      if (now - used > LONGEST_REST_MS) await rm(path, { recursive: true, force: true });
    }
  }
}

const namesIn = (folder: string): Promise<string[]> => readdir(folder).catch(() => []);
