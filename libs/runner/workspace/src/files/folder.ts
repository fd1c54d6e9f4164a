import { randomBytes } from 'node:crypto';
import { constants, type BigIntStats } from 'node:fs';
import {
  link,
  lstat,
  mkdir,
  open,
  opendir,
  readlink,
  rename,
  rmdir,
  symlink,
  unlink,
  type FileHandle,
} from 'node:fs/promises';
import { ToolRefusal } from '../domain/tool-refusal.js';
import { said } from '../domain/workspace-path.js';
import {
  codeOf,
  otherFilesystem,
  refusalOf,
  requireFile,
  symbolicLink,
  tooLarge,
  type EntryStat,
} from './entry-stat.js';

const { O_RDONLY, O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW, O_DIRECTORY, O_NONBLOCK, O_NOCTTY } = constants;

/** The beginning of the name under which a file is written before it takes its place. */
export const TEMPORARY = '.countersign-tmp-';

/**
 * A folder by its open descriptor. Node has no openat: `/proc/self/fd/N/name` is the same on Linux, since the kernel goes on
 * from the opened folder. Every operation takes one name below it and follows no symbolic link. So a folder that is
 * swapped meanwhile leads nowhere else.
 */
export class Folder {
  readonly #handle: FileHandle;
  readonly #device: bigint;

  private constructor(handle: FileHandle, device: bigint) {
    this.#handle = handle;
    this.#device = device;
  }

  /** Opens a folder that the operator named: its path may lead through symbolic links. */
  static async open(path: string): Promise<Folder> {
    return await Folder.#of(await open(path, O_RDONLY | O_DIRECTORY));
  }

  static async #of(handle: FileHandle): Promise<Folder> {
    const { dev } = await handle.stat({ bigint: true });
    return new Folder(handle, dev);
  }

  /** A path to this folder for as long as it is open: the working directory of a program, say. */
  get path(): string {
    return `/proc/self/fd/${String(this.#handle.fd)}`;
  }

  async close(): Promise<void> {
    await this.#handle.close();
  }

  /** @throws {ToolRefusal} `workspace.symlink`, `workspace.not_a_folder`, `workspace.other_filesystem`, `workspace.not_found`. */
  async enter(name: string): Promise<Folder> {
    let handle: FileHandle;
    try {
      handle = await open(this.#at(name), O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
    } catch (problem) {
      if (codeOf(problem) === 'ENOTDIR') await this.#refuseAsFolder(name);
      throw refusalOf(problem, name);
    }
    const folder = await Folder.#of(handle);
    if (folder.#device === this.#device) return folder;
    await folder.close();
    throw otherFilesystem(name);
  }

  async #refuseAsFolder(name: string): Promise<never> {
    const kind = (await this.stat(name))?.kind;
    if (kind === 'symlink') throw symbolicLink(name);
    throw new ToolRefusal('workspace.not_a_folder', `${said(name)} is no folder.`);
  }

  /** The entry itself, if it is a symbolic link too; null if there is none. */
  async stat(name: string): Promise<EntryStat | null> {
    try {
      return statOf(await lstat(this.#at(name), { bigint: true }));
    } catch (problem) {
      if (codeOf(problem) === 'ENOENT') return null;
      throw refusalOf(problem, name);
    }
  }

  /** The names of at most `most` entries, sorted; null for a name that is not UTF-8. */
  async list(
    most: number,
  ): Promise<{ readonly names: readonly string[]; readonly complete: boolean; readonly unreadable: number }> {
    const names: string[] = [];
    let unreadable = 0;
    let complete = true;
    // The types of Node lack this encoding of `opendir`.
    for await (const { name } of await opendir(this.path, { encoding: 'buffer' as BufferEncoding })) {
      if (names.length + unreadable >= most) {
        complete = false;
        break;
      }
      // The types of opendir know text alone; with this encoding a name is a buffer.
      const text = utf8Of(name as unknown as Buffer);
      if (text === null) unreadable += 1;
      else names.push(text);
    }
    return { names: names.sort(), complete, unreadable };
  }

  /**
   * Reads an ordinary file with one name.
   *
   * @throws {ToolRefusal} `workspace.symlink`, `workspace.not_a_file`, `workspace.hard_link` unless `linked`,
   *   `workspace.other_filesystem`, `workspace.file_too_large`, `workspace.not_found`.
   */
  async read(
    name: string,
    most: number,
    { linked = false }: { readonly linked?: boolean } = {},
  ): Promise<{ readonly content: Buffer; readonly mode: number }> {
    // A device may act as soon as it is opened. The second look is at the opened file itself.
    requireFile(await this.stat(name), name, this.#device, linked);
    const handle = await this.#openFile(name);
    try {
      const stat = statOf(await handle.stat({ bigint: true }));
      requireFile(stat, name, this.#device, linked);
      const content = await readAtMost(handle, most, stat.size, name);
      return { content, mode: stat.mode };
    } finally {
      await handle.close();
    }
  }

  /** True if the runner may read an ordinary file. */
  async isReadable(name: string): Promise<boolean> {
    try {
      await (await this.#openFile(name)).close();
      return true;
    } catch (problem) {
      if (problem instanceof ToolRefusal) return false;
      throw problem;
    }
  }

  async #openFile(name: string): Promise<FileHandle> {
    try {
      return await open(this.#at(name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
    } catch (problem) {
      throw refusalOf(problem, name);
    }
  }

  /** Puts a file in its place at once and durably: a reader sees the file before or after. Replaces any entry but a folder. */
  async write(name: string, content: Uint8Array, mode: number): Promise<void> {
    await this.#replace(name, async (temporary) => {
      const handle = await open(this.#at(temporary), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
      try {
        await handle.writeFile(content);
        await handle.chmod(mode);
        await handle.sync();
      } finally {
        await handle.close();
      }
    });
  }

  /** Puts a symbolic link in its place; nothing here ever follows it. */
  async writeSymlink(name: string, target: string): Promise<void> {
    await this.#replace(name, async (temporary) => {
      await symlink(target, this.#at(temporary));
    });
  }

  async #replace(name: string, make: (temporary: string) => Promise<void>): Promise<void> {
    const temporary = TEMPORARY + randomBytes(9).toString('hex');
    try {
      await make(temporary);
      await rename(this.#at(temporary), this.#at(name));
    } catch (problem) {
      await unlink(this.#at(temporary)).catch(() => undefined);
      throw refusalOf(problem, name);
    }
    await this.#handle.sync();
  }

  /** The target of a symbolic link: any bytes. */
  async readSymlink(name: string): Promise<Buffer> {
    return await readlink(this.#at(name), 'buffer');
  }

  async makeFolder(name: string, mode = 0o755): Promise<void> {
    await this.#change(name, () => mkdir(this.#at(name), mode));
  }

  async remove(name: string): Promise<void> {
    await this.#change(name, () => unlink(this.#at(name)));
  }

  /** Removes an empty folder. */
  async removeFolder(name: string): Promise<void> {
    await this.#change(name, () => rmdir(this.#at(name)));
  }

  /** Moves a file or folder to a name that is free. @throws {ToolRefusal} `workspace.exists`. */
  async moveTo(name: string, target: Folder, newName: string): Promise<void> {
    const kind = (await this.stat(name))?.kind;
    await this.#change(newName, async () => {
      // rename would replace a file that came meanwhile; link does not. A folder replaces no file and no full folder.
      if (kind === 'folder') await rename(this.#at(name), target.#at(newName));
      else {
        await link(this.#at(name), target.#at(newName));
        await unlink(this.#at(name));
      }
    });
    await target.#handle.sync();
  }

  /** The permissions of this folder itself. */
  async mode(): Promise<number> {
    return (await this.#handle.stat()).mode & 0o7777;
  }

  async setMode(mode: number): Promise<void> {
    await this.#handle.chmod(mode);
    await this.#handle.sync();
  }

  async #change(name: string, change: () => Promise<void>): Promise<void> {
    try {
      await change();
    } catch (problem) {
      throw refusalOf(problem, name);
    }
    await this.#handle.sync();
  }

  #at(name: string): string {
    if (name === '' || name === '.' || name === '..' || name.includes('/') || name.includes('\0')) {
      throw new ToolRefusal('workspace.invalid_path', `${said(name)} is not the name of one file or folder.`);
    }
    return `${this.path}/${name}`;
  }
}

/** The text of these bytes; null if they are not UTF-8. */
export function utf8Of(bytes: Buffer): string | null {
  const text = bytes.toString('utf8');
  return Buffer.from(text, 'utf8').equals(bytes) ? text : null;
}

function statOf(stat: BigIntStats): EntryStat {
  return {
    kind: stat.isFile() ? 'file' : stat.isDirectory() ? 'folder' : stat.isSymbolicLink() ? 'symlink' : 'special',
    mode: Number(stat.mode) & 0o7777,
    size: Number(stat.size),
    links: Number(stat.nlink),
    device: stat.dev,
    mtimeNs: stat.mtimeNs,
  };
}

async function readAtMost(handle: FileHandle, most: number, expected: number, name: string): Promise<Buffer> {
  if (expected > most) throw tooLarge(name, most);
  const parts: Buffer[] = [];
  let bytes = 0;
  for (;;) {
    const { buffer, bytesRead } = await handle.read({ buffer: Buffer.allocUnsafe(Math.max(expected - bytes, 0) + 1) });
    if (bytesRead === 0) return Buffer.concat(parts, bytes);
    bytes += bytesRead;
    if (bytes > most) throw tooLarge(name, most);
    parts.push(buffer.subarray(0, bytesRead));
  }
}
