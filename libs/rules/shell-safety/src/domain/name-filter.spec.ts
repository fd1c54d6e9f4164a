import fc from 'fast-check';
import { MAY_NAME, NameFilter, NO_NAME, RESOLVES, WILD } from './name-filter.js';

const NAMES = [
  'shadow',
  '.env',
  '*.pem',
  '.env.*',
  'id_*',
  'x*',
  '*_token',
  '*y',
  'ssh_host_*_key',
  '*.tfstate.*',
  'compose.*.yml',
];

const filterOf = (names: readonly string[]): NameFilter => {
  const filter = new NameFilter();
  for (const name of names) filter.add(name);
  return filter;
};

const text = fc.string({ unit: fc.constantFrom(...Array.from('abAB01-_. é')), maxLength: 6 });
/** A name of the list, any text in the place of its `*`, in any case. */
const listed = fc
  .tuple(fc.constantFrom(...NAMES), fc.array(text, { minLength: 2, maxLength: 2 }), fc.boolean())
  .map(([name, texts, upper]) => {
    const filled = texts.reduce((glob, each) => glob.replace('*', () => each), name);
    return upper ? filled.toUpperCase() : filled;
  });

describe('the filter of names', () => {
  const filter = filterOf(NAMES);

  it('lets every name of the list through, in any folder', () => {
    fc.assert(
      fc.property(fc.array(text, { maxLength: 3 }), listed, fc.array(text, { maxLength: 2 }), (above, name, below) => {
        const path = [...above, name, ...below].join('/');
        expect([path, filter.marksOf(path) & MAY_NAME]).toEqual([path, MAY_NAME]);
      }),
      { numRuns: 5_000 },
    );
  });

  it.each([
    ['src/main.ts', NO_NAME],
    ['README.md', NO_NAME],
    ['/usr/share/doc', NO_NAME],
    ['shadows', NO_NAME],
    ['./src', RESOLVES],
    ['src/..', RESOLVES],
    ['', RESOLVES],
    ['//', RESOLVES],
    ['src/*.ts', WILD],
    ['**', WILD],
    ['src/**', WILD],
    ['a?', MAY_NAME | WILD],
    ['*.d.ts', MAY_NAME | WILD],
    ['*.', WILD],
    ['*.pem', MAY_NAME | WILD],
    ['?x.ts', MAY_NAME | WILD],
    ['naïve', MAY_NAME],
    ['a'.repeat(255), NO_NAME],
    ['a'.repeat(256), MAY_NAME],
  ])('marks %j', (path, marks) => {
    expect(filter.marksOf(path)).toBe(marks);
  });

  it('passes nothing if the list is empty', () => {
    expect(filterOf([]).marksOf('shadow')).toBe(NO_NAME);
  });

  it('lets a name around a text through, with and without a dot, and takes a lone star for no name', () => {
    const around = filterOf(['*secret*']);
    expect(['mysecretfile', 'my.secret.file'].map((path) => around.marksOf(path))).toEqual([MAY_NAME, MAY_NAME]);
    expect(filterOf(['*', '.env']).marksOf('src/main')).toBe(NO_NAME);
  });
});
