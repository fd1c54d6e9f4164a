import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '../..');

/** Constants of these texts whose bound has another word than MAX_ or MIN_. */
const otherwiseNamed = (texts: readonly string[]): readonly string[] =>
  texts.flatMap((text) =>
    [...text.matchAll(/\bconst ((?:LONGEST|LARGEST|MOST|LATEST|LEAST|FEWEST|SHORTEST|SMALLEST)_\w+)/g)].map(
      ([, name = '']) => name,
    ),
  );

describe('a bound', () => {
  it('is called MAX_ or MIN_', () => {
    const texts = ['apps', 'libs', 'test', 'tools'].flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
        .filter((path) => /\.(?:tsx?|mjs)$/.test(path) && !path.includes('node_modules/'))
        .map((path) => readFileSync(join(root, folder, path), 'utf8')),
    );
    expect(texts.length).toBeGreaterThan(3_000);
    expect(otherwiseNamed(texts)).toEqual([]);
  });

  it.each(['LONGEST_NAME', 'LEAST_SHARE', 'SHORTEST_WAIT_MS'])('is caught as %s', (name) => {
    expect(otherwiseNamed([`export const ${name} = 10;`])).toEqual([name]);
  });
});
