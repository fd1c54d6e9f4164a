import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '#lib/database';

const MAX_BYTES = 250 * 1_024;

interface Chunk {
  readonly file: string;
  readonly imports?: readonly string[];
}

/** Everything that a chunk needs before it runs, itself included. */
function filesOf(manifest: Readonly<Record<string, Chunk>>, entry: string, seen = new Set<string>()): Set<string> {
  const chunk = manifest[entry];
  if (chunk === undefined || seen.has(chunk.file)) return seen;
  seen.add(chunk.file);
  for (const needed of chunk.imports ?? []) filesOf(manifest, needed, seen);
  return seen;
}

it('sends less than 250 KB of compressed JavaScript for any page, and no editor before one is opened', () => {
  const web = join(packageRoot(), 'dist', 'web');
  const manifest = JSON.parse(readFileSync(join(web, 'manifest.json'), 'utf8')) as Record<string, Chunk>;
  const pages = Object.keys(manifest).filter((name) => name.endsWith('-page.tsx'));
  expect(pages.length).toBeGreaterThan(30);
  for (const page of pages) {
    const files = [...filesOf(manifest, page, filesOf(manifest, 'index.html'))];
    const bytes = files
      .filter((file) => file.endsWith('.js'))
      .reduce((sum, file) => sum + statSync(join(web, `${file}.gz`)).size, 0);
    expect([page, bytes < MAX_BYTES, bytes]).toEqual([page, true, expect.any(Number)]);
    expect(bytes).toBeGreaterThan(20_000);
  }
});
