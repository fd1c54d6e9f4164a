import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { Injectable, Logger } from '@nestjs/common';
import { ownMember } from '#lib/canonical';
import { packageRoot } from '#lib/database';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webmanifest': 'application/manifest+json',
};

const ENCODINGS = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const;

/** A file of the web UI, as it is and as the build compressed it. The smallest comes first. */
export interface WebFile {
  readonly type: string;
  readonly etag: string;
  readonly plain: Buffer;
  readonly compressed: readonly { readonly encoding: string; readonly content: Buffer }[];
}

/** The built web UI, read once into memory: no request ever names a path of the disk. */
@Injectable()
export class WebFiles {
  readonly #files: ReadonlyMap<string, WebFile>;

  constructor() {
    const folder = join(packageRoot(), 'dist', 'web');
    const built = existsSync(join(folder, 'index.html'));
    if (!built) new Logger('Web').log('the web UI is not built (npm run build makes it); serving the API alone');
    this.#files = built ? filesOf(folder) : new Map();
  }

  /** @param path inside dist/web: `index.html`, `assets/…`. */
  find(path: string): WebFile | null {
    return this.#files.get(path) ?? null;
  }
}

function filesOf(folder: string): Map<string, WebFile> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => name.replaceAll('\\', '/'));
  return new Map(
    names.flatMap((name) => {
      const type = ownMember(TYPES, extname(name));
      return type === undefined ? [] : [[name, fileOf(join(folder, name), type)] as const];
    }),
  );
}

function fileOf(path: string, type: string): WebFile {
  const plain = readFileSync(path);
  const compressed = ENCODINGS.filter(([, suffix]) => existsSync(path + suffix)).map(([encoding, suffix]) => ({
    encoding,
    content: readFileSync(path + suffix),
  }));
  return { type, etag: `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`, plain, compressed };
}
