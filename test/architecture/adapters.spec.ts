import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '../..');

type Files = readonly (readonly [path: string, text: string])[];

const files: Files = readdirSync(join(root, 'libs'), { recursive: true, encoding: 'utf8' })
  .map((path) => `libs/${path}`)
  .filter((path) => path.endsWith('.ts') && !path.endsWith('.spec.ts'))
  .map((path) => [path, readFileSync(join(root, path), 'utf8')] as const);

/** Adapters that have SQL alone by their name, and read or write by an entity (ADR 1). */
const misnamed = (among: Files): string[] =>
  among.flatMap(([path, text]) => (/\/sql-[^/]+$/.test(path) && /\b(rowsOf|managerOf)\(/.test(text) ? [path] : []));

/** Entities that nothing reads or writes by: their tables are mapped by hand beside them. */
function unused(among: Files): string[] {
  const entities = among.filter(([path]) => path.endsWith('.entity.ts'));
  const users = among.filter(([path]) => !/(\.entity|\/index|\/entities)\.ts$/.test(path)).map(([, text]) => text);
  const used = new Set(users.flatMap((text) => text.match(/\b\w+Entity\b/g) ?? []));
  return entities
    .flatMap(([, text]) => [...text.matchAll(/^export const (\w+) = entity\(/gm)].map(([, name = '']) => name))
    .filter((name) => !used.has(name));
}

describe('an adapter', () => {
  it('is called sql- only if all of its statements are by hand', () => {
    expect(misnamed(files)).toEqual([]);
  });

  it('is caught if its name hides an entity', () => {
    const hiding = ['libs/stages/task/src/adapters/sql-hiding.ts', 'await rowsOf(tx, taskEntity).find({});'] as const;
    expect(misnamed([...files, hiding])).toEqual([hiding[0]]);
  });
});

describe('an entity', () => {
  it('is used by an adapter', () => {
    expect(unused(files)).toEqual([]);
  });

  it('is caught if no adapter uses it', () => {
    const idle = ['libs/stages/task/src/adapters/idle.entity.ts', "export const idleEntity = entity('idle');"] as const;
    expect(unused([...files, idle])).toEqual(['idleEntity']);
  });
});
