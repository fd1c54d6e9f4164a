import { readdir, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '#lib/folders';
import type { GrantClaims } from '#lib/formats';

/** No session rests longer (`idle_seconds` of the API), so the session of a folder without use for so long has ended. */
const MAX_REST_MS = 86_400_000;
const SWEEP_MS = 3_600_000;

/**
 * A folder for each session, in the data folder: tools keep things there from one call to the next. A run, or a call outside a session, has
 * one of its own. A folder goes when Countersign says that its session has ended. It goes a day after its last use at the latest.
 */
export class SessionFolders {
  #sweptAt = -Infinity;

  /** @param folder the absolute path; this class alone makes and removes folders in it. */
  constructor(private readonly folder: string) {}

  /** The folder for a call. Using it keeps it. */
  async of({ session, source }: Pick<GrantClaims, 'session' | 'source'>, now: number): Promise<string> {
    const own = join(this.folder, session === undefined ? plain(`${source.type}-${source.id}`) : nameOf(session));
    await makeFolder(own);
    await utimes(own, now / 1_000, now / 1_000);
    if (now - this.#sweptAt > SWEEP_MS) {
      this.#sweptAt = now;
      await this.sweep(now);
    }
    return own;
  }

  /** The sessions that have a folder, those used last first: at most as many as one question to Countersign names. */
  async sessions(): Promise<string[]> {
    const used: { readonly id: string; readonly at: number }[] = [];
    for (const name of await namesIn(this.folder)) {
      if (!SESSION_NAME.test(name)) continue;
      const at = (await stat(join(this.folder, name)).catch(() => null))?.mtimeMs ?? 0;
      used.push({ id: name.slice(SESSION.length), at });
    }
    return used
      .sort((a, b) => b.at - a.at)
      .slice(0, MAX_NAMED)
      .map(({ id }) => id);
  }

  /** Removes the folders of sessions that have ended. */
  async remove(sessions: readonly string[]): Promise<void> {
    for (const id of sessions) await rm(join(this.folder, nameOf(id)), { recursive: true, force: true });
  }

  /** Removes the folders without use for a day. */
  async sweep(now: number): Promise<void> {
    for (const name of await namesIn(this.folder)) {
      const path = join(this.folder, name);
      const used = (await stat(path).catch(() => null))?.mtimeMs ?? now;
      if (now - used > MAX_REST_MS) await rm(path, { recursive: true, force: true });
    }
  }
}

const SESSION = 'session-';
/** The ids of sessions are UUIDs; Countersign would refuse a question about another name. */
const SESSION_NAME = /^session-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const MAX_NAMED = 64;

const plain = (name: string): string => name.replace(/[^\w-]/g, '_');
const nameOf = (session: string): string => plain(SESSION + session);

const namesIn = (folder: string): Promise<string[]> => readdir(folder).catch(() => []);
