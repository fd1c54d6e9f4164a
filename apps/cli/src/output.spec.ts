import { stripVTControlCharacters } from 'node:util';
import pc from 'picocolors';
import { duration, jsonText, oneLine, quoted, safe, table, valueLine } from './output.js';
import { namesText } from './views/names.js';

describe('T10: text from outside', () => {
  it.each([
    ['\u001b[2J', '<U+001B>[2J'],
    ['a\u202eb', 'a<U+202E>b'],
    ['a\u200bb', 'a<U+200B>b'],
    ['a\u00adb', 'a<U+00AD>b'],
    ['\u{e0041}', '<U+E0041>'],
    ['a\rb', 'a<U+000D>b'],
    ['ein Ärger, 日本', 'ein Ärger, 日本'],
  ])('shows the hidden characters of %j', (text, shown) => {
    expect(safe(text)).toBe(shown);
  });

  it('cannot begin a line of its own in a column', () => {
    expect(oneLine('good\napproved by everybody')).toBe('good<U+000A>approved by everybody');
    expect(table(['a', 'b'], [['x\ny', 'z']])).toHaveLength(2);
  });

  it('names letters from right to left in a command line, which a terminal would draw in another order', () => {
    expect(valueLine('cp \u05D0 \u05D1\nls')).toBe('cp <U+05D0> <U+05D1><U+000A>ls');
  });

  it('is made safe before a cell gets its colour', () => {
    const hostile = '\u001b[2J';
    const [, line = ''] = table(['a', 'b', 'c'], [['failed', { text: hostile, colour: pc.red }, hostile]], [0]);
    expect(line).toBe(`${pc.red('failed')}  ${pc.red('<U+001B>[2J')}  <U+001B>[2J`);
    expect(line).toContain('\u001b[31m');
  });

  it('has the same value as JSON, without a character that a terminal obeys or hides', () => {
    const value = { text: '\u001b[2J \u009b2J \u202e \u{e0041} Ärger 日本\u2028' };
    const written = jsonText(value, 2);
    expect(JSON.parse(written)).toEqual(value);
    expect(written).toBe('{\n  "text": "\\u001b[2J \\u009b2J \\u202e \\udb40\\udc41 Ärger 日本\\u2028"\n}');
  });

  it('stands behind a bar, line by line', () => {
    expect(quoted('one\ntwo').map(stripVTControlCharacters)).toEqual(['│ one', '│ two']);
  });
});

describe('a table', () => {
  const header = ['task', 'state', 'submitted', 'what is done'];
  const rows = [
    ['01a21e91-1fa6-75da-90b9-b01ac21c702b', 'created', '2026-11-27 19:52:37 UTC', 'no valid plan yet'],
    ['01a21e91-1f51-760f-a03f-e1e1e19f8f1d', 'executing', '2026-11-27 19:52:36 UTC', 'restart on 3 targets'],
  ];
  const shown = (room?: number) => table(header, rows, [1], room).map(stripVTControlCharacters);

  it('has a line for each row if a program reads it, or if the terminal is wide enough', () => {
    expect(shown()).toHaveLength(3);
    expect(shown(94)).toEqual(shown());
  });

  it('puts the columns that a narrow terminal has no room for below the others', () => {
    expect(shown(80)).toEqual([
      'task                                  state      submitted',
      '    what is done',
      '01a21e91-1fa6-75da-90b9-b01ac21c702b  created    2026-11-27 19:52:37 UTC',
      '    no valid plan yet',
      '01a21e91-1f51-760f-a03f-e1e1e19f8f1d  executing  2026-11-27 19:52:36 UTC',
      '    restart on 3 targets',
    ]);
    expect(shown(93)).toHaveLength(6);
  });

  it('gives a column that is wider than the terminal a line of its own', () => {
    expect(shown(20).slice(0, 4)).toEqual(['task', '    state', '    submitted', '    what is done']);
  });
});

describe('names', () => {
  it.each([
    [['web-01', 'web-02', 'web-03', 'web-05'], 'web-01…web-03 web-05'],
    [['web-01', 'web-02'], 'web-01 web-02'],
    [['web-9', 'web-10', 'web-11'], 'web-9 web-10 web-11'],
    [['web-03', 'web-02', 'web-01'], 'web-03 web-02 web-01'],
    [['db-01', 'web-02', 'web-03'], 'db-01 web-02 web-03'],
    [['a', 'b'], 'a b'],
    [[], ''],
  ])('folds only names that count up: %j', (names, text) => {
    expect(namesText(names)).toBe(text);
  });
});

it.each([
  [45, '45 s'],
  [300, '5 min'],
  [7_260, '2 h 1 min'],
  [1_343.3 * 60, '22 h 23 min'],
  [172_800, '2 days'],
])('%i seconds are %s', (seconds, text) => {
  expect(duration(seconds)).toBe(text);
});
