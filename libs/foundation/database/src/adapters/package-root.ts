import { readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';

let found: string | undefined;

/**
 * The folder of Countersign's own package.json, with `migrations/` and the compiled policies. The search goes upwards
 * from the started program, then from the working directory.
 *
 * @throws when neither lies inside a Countersign checkout or installation.
 */
export function packageRoot(): string {
  found ??= [process.argv[1], process.cwd()].reduce<string | undefined>(
    (root, start) => root ?? (start === undefined ? undefined : searchUpwards(start)),
    undefined,
  );
  if (found === undefined) {
    throw new Error(
      'Countersign cannot find its own files: start it from inside its folder (the one with package.json).',
    );
  }
  return found;
}

function searchUpwards(start: string): string | undefined {
  let folder: string;
  try {
    folder = realpathSync(start);
  } catch {
    return undefined;
  }
  for (;;) {
    if (isOurs(folder)) return folder;
    const parent = dirname(folder);
    if (parent === folder) return undefined;
    folder = parent;
  }
}

function isOurs(folder: string): boolean {
  try {
    const manifest: unknown = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    return typeof manifest === 'object' && manifest !== null && 'name' in manifest && manifest.name === 'countersign';
  } catch {
    return false;
  }
}
