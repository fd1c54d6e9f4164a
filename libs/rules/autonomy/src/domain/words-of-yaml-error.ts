import type { YAMLError } from 'yaml';

/** Words for a mistake that the parser of YAML finds, with the way out. */
export const wordsOfYamlError = ({ code }: Pick<YAMLError, 'code'>): string => WORDS[code] ?? 'This is not YAML.';

const INDENTATION =
  'The lines from here on do not belong together. Give all keys of a block the same indentation. Close each bracket, and put a text with a colon in quotes.';

const WORDS: Readonly<Partial<Record<YAMLError['code'], string>>> = {
  BAD_DQ_ESCAPE:
    'A backslash in double quotes begins an escape, and there is no such escape: write the text in single quotes.',
  BAD_INDENT: INDENTATION,
  BAD_SCALAR_START: 'A value cannot begin with this character: put the value in quotes.',
  BLOCK_AS_IMPLICIT_KEY: INDENTATION,
  BLOCK_IN_FLOW: 'Between brackets, a list is written as [a, b] and a block as {key: value}.',
  KEY_OVER_1024_CHARS: 'A key has at most 1,024 characters, and its colon stands on the same line.',
  MISSING_CHAR: 'A character is missing: a closing quote or bracket, a comma, a colon, or the blank before a comment.',
  MULTILINE_IMPLICIT_KEY:
    'A key ends with a colon on its own line: write "key: value", or "key:" with its block below.',
  NON_STRING_KEY: 'A key is a word, not a list or a block.',
  TAB_AS_INDENT: 'A tab cannot indent YAML.',
  UNEXPECTED_TOKEN: 'This cannot stand here: look for a quote, a bracket or a comma too many, or one that is missing.',
};
