import { fieldsOf, isPattern, textOf, type ValuedPiece } from './field.js';

const text = (value: string): ValuedPiece => ({ type: 'text', text: value });
const value = (given: string, split = true): ValuedPiece => ({ type: 'value', value: given, split });
const star: ValuedPiece = { type: 'glob', pattern: '*' };

describe('the fields of a word', () => {
  test.each<readonly [string, readonly ValuedPiece[], readonly string[]]>([
    ['of text', [text('a b')], ['a b']],
    ['of empty quotes', [text('')], ['']],
    ['of an empty value', [value('')], []],
    ['of an empty value in quotes', [value('', false)], ['']],
    ['of a value with blanks', [value(' a\t\nb ')], ['a', 'b']],
    ['of a value with blanks in quotes', [value(' a  b ', false)], [' a  b ']],
    ['of a value between texts', [text('a'), value('b c'), text('d')], ['ab', 'cd']],
    ['of a value that begins with a blank', [text('a'), value(' b'), text('c')], ['a', 'bc']],
    ['of empty quotes and a value', [text(''), value(' a')], ['', 'a']],
    ['of other blanks', [value('a\u00a0b\rc')], ['a\u00a0b\rc']],
  ])('%s', (_, pieces, expected) => {
    expect(fieldsOf(pieces).map(textOf)).toEqual(expected);
  });

  test('are patterns by the line, and by a value outside quotes', () => {
    const patterns = (...pieces: ValuedPiece[]) => fieldsOf(pieces).map(isPattern);
    expect(patterns(star)).toEqual([true]);
    expect(patterns(text('*'))).toEqual([false]);
    expect(patterns(value('* a ? [a-c] [a'))).toEqual([true, false, true, true, false]);
    expect(patterns(value('*', false))).toEqual([false]);
  });

  test('keep a backslash of a value only if they match no file', () => {
    const [field] = fieldsOf([value('\\**')]);
    expect(field?.map((atom) => atom.text).join('')).toBe('**');
    expect(field?.map((atom) => atom.type)).toEqual(['text', 'glob']);
    expect(field === undefined ? '' : textOf(field)).toBe('\\**');
  });
});
