import { ownMember } from '#lib/canonical';

/** A file or folder of an archive. */
export interface TarEntry {
  readonly name: string;
  readonly kind: 'file' | 'folder' | 'other';
  readonly size: number;
}

/** Told of an archive as it is read. */
export interface TarReader {
  begin(entry: TarEntry): void;
  data(part: Buffer): void;
  /** Only of a file. */
  end(): void;
}

const BLOCK = 512;
const KINDS: Readonly<Record<string, TarEntry['kind']>> = { '0': 'file', '\0': 'file', '5': 'folder' };

/** Reads a tar archive (POSIX ustar) that arrives in parts of any size. */
export class TarEntries {
  #header = Buffer.alloc(0);
  /** Bytes of the file that are still to come, and those that fill its last block. */
  #left = 0;
  #padding = 0;
  #inFile = false;

  constructor(private readonly reader: TarReader) {}

  /** @throws {Error} on a name that leads out of the archive. */
  push(part: Buffer): void {
    let rest = part;
    while (rest.length > 0) {
      if (this.#left > 0) rest = this.#take(rest);
      else if (this.#padding > 0) rest = this.#skip(rest);
      else rest = this.#gather(rest);
    }
  }

  #take(part: Buffer): Buffer {
    const taken = part.subarray(0, this.#left);
    this.#left -= taken.length;
    if (this.#inFile) this.reader.data(taken);
    this.#endIfComplete();
    return part.subarray(taken.length);
  }

  #skip(part: Buffer): Buffer {
    const skipped = Math.min(part.length, this.#padding);
    this.#padding -= skipped;
    return part.subarray(skipped);
  }

  #gather(part: Buffer): Buffer {
    const missing = BLOCK - this.#header.length;
    this.#header = Buffer.concat([this.#header, part.subarray(0, missing)]);
    if (this.#header.length === BLOCK) {
      const header = this.#header;
      this.#header = Buffer.alloc(0);
      // Blocks of zeros end an archive.
      if (header[0] !== 0) this.#begin(header);
    }
    return part.subarray(missing);
  }

  #begin(header: Buffer): void {
    const size = numberOf(header.subarray(124, 136));
    const kind = ownMember(KINDS, header.toString('latin1', 156, 157)) ?? 'other';
    const name = textOf(header.subarray(0, 100)).replace(/^\.\//, '').replace(/\/+$/, '');
    if (name.startsWith('/') || name.split('/').includes('..')) throw new Error(`The archive names ${name}.`);
    this.#left = kind === 'folder' ? 0 : size;
    this.#padding = (BLOCK - (this.#left % BLOCK)) % BLOCK;
    this.#inFile = kind === 'file';
    this.reader.begin({ name, kind, size });
    this.#endIfComplete();
  }

  #endIfComplete(): void {
    if (this.#left > 0 || !this.#inFile) return;
    this.#inFile = false;
    this.reader.end();
  }
}

const textOf = (field: Buffer): string => {
  const end = field.indexOf(0);
  return field.toString('utf8', 0, end === -1 ? field.length : end);
};

/** Octal digits; or, from a set first bit on, the number itself, for files of 8 GiB and more. */
function numberOf(field: Buffer): number {
  if (((field[0] ?? 0) & 0x80) === 0) return Number.parseInt(textOf(field).trim() || '0', 8);
  return field.subarray(1).reduce((value, byte) => value * 256 + byte, 0);
}
