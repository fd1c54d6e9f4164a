import { documentRefusal } from './document-refusal.js';

const error = (code: string, line?: number) => ({
  ...{ pointer: '', code, message: `${code} is wrong` },
  ...(line === undefined ? {} : { line, column: 1 }),
});

it.each([
  [
    'of a text that is no YAML',
    [error('yaml.tab', 2)],
    'invalid',
    'a.unreadable',
    'It is refused. Line 2: yaml.tab is wrong',
  ],
  [
    'of a wrong value',
    [error('a.range', 3), error('a.key', 1)],
    'unprocessable',
    'a.invalid',
    'It is refused. Line 3: a.range is wrong',
  ],
  ['without a line', [error('a.range')], 'unprocessable', 'a.invalid', 'It is refused.'],
])('a document has a refusal %s', (_which, errors, kind, code, message) => {
  expect(documentRefusal('a', 'It is refused.', errors)).toMatchObject({ kind, code, message, errors });
});
