import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { longSentencesIn, MAX_SENTENCE } from '../../tools/plain-words.mjs';

const root = join(__dirname, '../..');

/** A string that somebody reads in a browser, in Slack and on the command line alike. */
const SAID = /\b(?:message|action|text|title):\s*(?:'([^'\n]*)'|"([^"\n]*)"|`([^`]*)`)/g;

/** Each string of a file that makes notices: their lines come from its tables and functions, too. */
const QUOTED = /'([^'\n]*)'|"([^"\n]*)"|`([^`]*)`/g;

const saidIn = (source: string): string[] =>
  [...source.matchAll(/\blines: \[/.test(source) ? QUOTED : SAID)].map(
    ([, single, double, template]) => single ?? double ?? template ?? '',
  );

const routesIn = (source: string): string[] =>
  saidIn(source).filter((text) => /\b(?:GET|POST|PUT|PATCH|DELETE) \/|\/v1\//.test(text));

/** Commands that no page replaces, by their first words. The operator of the server has the first ones alone. */
const WITHOUT_PAGE = [
  ...['bootstrap', 'migrate', 'months', 'restored', 'standby', 'tenant'],
  ...['mcp-server', 'runner', 'secret', 'whoami'],
  // Agents read it, and no page.
  'agent-token',
];

const commandsIn = (source: string): string[] =>
  saidIn(source).filter((text) =>
    [...text.matchAll(/(?<!\/)\bcountersign ([a-z][\w-]*)/g)].some(
      ([, command = '']) => !WITHOUT_PAGE.includes(command),
    ),
  );

/** A state by its name in the database: `voided`, `consumed`. */
const rawStatesIn = (source: string): string[] =>
  saidIn(source).filter((text) => /\$\{(?:[\w.]*\.)?state\}/.test(text));

/** A clause in the place of a noun, `reviewed by who broke the glass`, or `where` for `if`. */
const clausesIn = (source: string): string[] =>
  saidIn(source).filter((text) =>
    /\b(?:by|than|with) who\b|\bwhoever\b|^What (?:is|was|has)\b|^Where (?!are|is)|\b(?:where|what) (?:it|that|they|nobody|somebody|there) (?:is|are|has|was)\b/i.test(
      text,
    ),
  );

/** A sentence beyond the bound of comments and pages. A value in it is one word, and the command of an example none. */
const longIn = (source: string): string[] =>
  saidIn(source).filter((text) => {
    const asShown = text
      .replace(/\$\{[^}]*\}/g, 'value')
      .replaceAll('\\n', '\n')
      .replace(/^ {2}countersign .*$/gm, '');
    return longSentencesIn('text.md', asShown).length > 0;
  });

/** A document that zod checks in its own words, if somebody reads them. */
const zodsWordsIn = (source: string): string[] =>
  /\bissues\b[^]*\bmessage\b|\bprettifyError\(/.test(source) && !source.includes('error: wordsOfIssue')
    ? [...source.matchAll(/\w*(?:Schema|schema|shape)(?:\([^)]*\))?\.(?:safeParse|parse)(?:Async)?\(/g)].map(
        ([parse]) => parse,
      )
    : [];

/** A pattern without words: its author would read that the form is wrong, and not the right one. */
const wordlessIn = (source: string): string[] =>
  [...source.matchAll(/\.regex\(\s*(\/(?:\\.|\[(?:\\.|[^\]\\])*\]|[^/\\[\n])+\/[a-z]*|\w+),?\s*\)/g)].map(
    ([pattern]) => pattern,
  );

const filesIn = (...folders: readonly string[]): string[] =>
  folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !name.endsWith('.spec.ts') && !name.includes('node_modules'))
      .map((name) => join(folder, name)),
  );
const FILES = filesIn('libs', 'apps/api/src');
const PROGRAMS = filesIn('apps/cli/src', 'apps/runner/src', 'apps/fleet/src');

const foundBy = (search: (source: string) => string[], files = FILES): string[] =>
  files.flatMap((file) => search(readFileSync(join(root, file), 'utf8')).map((text) => `${file}: ${text}`));

describe('the text of a refusal', () => {
  it('names no route: people read it on pages too, and programs have `route`', () => {
    expect(FILES.length).toBeGreaterThan(500);
    expect(foundBy(routesIn)).toEqual([]);
  });

  it('names a command only if no page does the same', () => {
    expect(foundBy(commandsIn)).toEqual([]);
    const said =
      'const HELP = "Read it: countersign siem show"; return { lines: [HELP, `Try countersign secret put.`] };';
    expect(commandsIn(said)).toEqual(['Read it: countersign siem show']);
  });

  it('says states in words', () => {
    expect(foundBy(rawStatesIn)).toEqual([]);
    expect(rawStatesIn('message: `The plan is ${plan.state}.`')).toHaveLength(1);
  });

  it('begins with the actor or the thing, and says "if" of a condition', () => {
    expect(foundBy(clausesIn)).toEqual([]);
    expect(
      clausesIn("{ message: 'It was reviewed by who broke the glass.', action: 'Repeat it where it is idempotent.' }"),
    ).toHaveLength(2);
  });

  it('says one fact in a sentence', () => {
    expect(foundBy(longIn, [...FILES, ...PROGRAMS])).toEqual([]);
    const bound = 'word '.repeat(MAX_SENTENCE - 1);
    expect(longIn(`{ message: '${bound}end. ${bound}end.' }`)).toEqual([]);
    expect(longIn('{ message: `${plan.id} ' + bound + 'end.`, action: "Ask again." }')).toHaveLength(1);
  });

  it('says the mistakes of a document in our words, not in those of zod', () => {
    expect(foundBy(zodsWordsIn, [...FILES, ...PROGRAMS])).toEqual([]);
    const source = 'const { error } = schema.safeParse(value); fail(error.issues.map(({ message }) => message));';
    expect(zodsWordsIn(source)).toHaveLength(1);
    expect(zodsWordsIn(source.replace('(value)', '(value, { error: wordsOfIssue })'))).toEqual([]);
  });

  it('says the right form of a text that has to have one', () => {
    const files = filesIn('libs/foundation/api-schemas/src', 'libs/foundation/formats/src', 'libs/runner');
    expect(foundBy(wordlessIn, files)).toEqual([]);
    expect(
      wordlessIn('z.string().regex(/^[/)]+$/); z.string().regex(NAME); z.string().regex(/a/, "must be a")'),
    ).toHaveLength(2);
  });

  it('is found if it names one', () => {
    expect(routesIn("{\n  action: 'Step up again: POST /v1/step-ups.',\n}")).toHaveLength(1);
    expect(routesIn('{ title, lines: [why, "Switch it on: PUT /v1/webhooks/{id}"] }')).toHaveLength(1);
    expect(routesIn("{\n  action:\n    'Read it: /v1/openapi.json.',\n}")).toHaveLength(1);
  });
});
