import { fieldsOf, type ValuedPiece } from './field.js';
import { partsOf } from './path-pattern.js';
import { Stop } from './stop.js';

const text = (value: string): ValuedPiece => ({ type: 'text', text: value });
const glob = (pattern: string): ValuedPiece => ({ type: 'glob', pattern });

const parted = (...pieces: readonly ValuedPiece[]): unknown => {
  const [field] = fieldsOf(pieces);
  if (field === undefined) throw new Error('the word has a field');
  try {
    const { start, components } = partsOf(field);
    return [start, ...components.map(({ atoms, slashes }) => atoms.map((atom) => atom.text).join('|') + slashes)];
  } catch (error) {
    if (error instanceof Stop) return error.code;
    throw error;
  }
};

describe('the parts of a pattern for paths', () => {
  it.each<[readonly ValuedPiece[], readonly string[]]>([
    [[glob('*')], ['', '*']],
    [
      [text('src/'), glob('*'), text('.ts')],
      ['src/', '*|.ts'],
    ],
    [
      [text('/work//a/b'), glob('?'), text('/c')],
      ['/work//a/', 'b|?/', 'c'],
    ],
    [
      [glob('*'), text('/'), glob('*'), text('//')],
      ['', '*/', '*//'],
    ],
    [
      [text('../'), glob('*')],
      ['../', '*'],
    ],
    [
      [glob('*'), text('/..a/.b')],
      ['', '*/', '..a/', '.b'],
    ],
  ])('of %j are %j', (pieces, parts) => {
    expect(parted(...pieces)).toEqual(parts);
  });

  it.each([['/..'], ['/../a'], ['/.'], ['/./a'], ['/a/..']])('have no %j behind a pattern', (rest) => {
    expect(parted(glob('*'), text(rest))).toBe('shell.pattern_with_parent');
  });

  it('keep a slash that a pattern matches inside its atom', () => {
    expect(parted(glob('[/]'), text('a'))).toEqual(['', '[/]|a']);
  });
});
