/**
 * Counts clauses that stand in the place of a noun (`what is out`, `whoever made it`) and `where` for `if`
 * (`null where there is none`). It looks at comments, names of tests, descriptions and summaries of the API, and pages. Finds
 * their long sentences, too.
 *
 *   npm run words                  the files beyond the bounds
 *   npm run words -- PATH ...      each clause and long sentence below these paths
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Clauses in 1,000 words that a file may have, and one in any file. Good codebases of the field have 0.1 to 1.6. */
const MAX_IN_1000 = 3;
/** Words of the longest sentence. In a list after a colon, a semicolon ends an item, and each item is measured by itself. */
export const MAX_SENTENCE = 20;

/** `who` is a noun's own clause after a noun (`a person who signs in`), and stands for the noun elsewhere (`tells who signed in`). */
const CLAUSE = new RegExp(
  '\\b(?:what|whatever|whoever|whomever|whose|whom|whichever|nobody)\\b' +
    '|(?:^|[.:;,(—]\\s*|\\b(?:of|by|to|for|from|with|in|on|at|and|or|that|than|is|was|are|as|about|if|but|since|so' +
    '|tells|says|say|see|sees|knows|know|shows|names|asks|decides)\\s)who\\b' +
    // At the head of a comment, or of a description: `Who asked for it`, `Why it failed`, `Where it goes`.
    "|(?:\\/\\*\\*?(?:\\s*\\*)?|\\/\\/|--|\\bis\\s+'|(?:\\bdescription:|@Summary\\()\\s*['\"`])\\s*(?:who|why|where)\\b" +
    // `where` of a condition: after a result or a refusal, or before a subject that is or has something. A place has neither.
    '|\\b(?:null|undefined|false|nothing|empty|absent|only|even|not|also|@returns|throws(?: \\{\\w+\\})?|rejects|refuse[sd]|denie[sd]' +
    '|fails|warns|waits)\\s+(?:\\*\\s+)?where\\b' +
    '|\\bwhere (?:there|none|nothing|nobody|somebody|anybody|that) (?:is|are|was|were|has|have|can|may|comes)\\b' +
    '|\\bwhere (?:it|they) (?:says|say|loosens|may|cannot)\\b' +
    '|\\bwhere (?:the|an?|its|their) \\w+ (?:has|had|says so|asks|did|allows|demands|set|gave|lacks)\\b',
  'gi',
);

/** Sentences are counted in blocks of comments on lines of their own. So no string of code is taken for one. */
const BLOCK_OF = {
  ts: /^[ \t]*\/\*[\s\S]*?\*\/|^[ \t]*\/\/.*(?:\n[ \t]*\/\/.*)*/gm,
  hash: /^[ \t]*#(?!!).*(?:\n[ \t]*#.*)*/gm,
  sql: /^[ \t]*--.*(?:\n[ \t]*--.*)*|\bis\s+'(?:[^']|'')*'/gm,
  md: /[\s\S]+/g,
};
const COMMENT_OF = {
  ts: [/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/[^\n]*/g],
  hash: [/(?<=^|\s)#[^\n]*/g],
  sql: [/--[^\n]*|\bis\s+'(?:[^']|'')*'/g],
  md: [/[\s\S]+/g],
};
/** Files in which a semicolon still ends each sentence. */
const SEMICOLON_ENDS = /^(?:docs|migrations|test|apps\/api|libs\/(?:foundation|stages|evidence))\//;
/** Up to a full stop, an empty line, the next item, tag, quote or heading. */
const SENTENCE = /\S(?:(?![.!?]["')’*_]*\s|\n[ \t]*\n|\n\s*(?:[-*@>]|\d+\.|\w+:)\s?)[\s\S])*/g;
const ITEM = /\S(?:(?!;["')’*_]*\s)[\s\S])*/g;
const TEST_NAME =
  /(?<![.\w'"`])(?:it|describe|test)(?:\.each\((?:[^()]|\([^()]*\))*\))?\(\s*(?:'(?:[^'\\\n]|\\.)*'|"[^"\n]*"|`[^`]*`)/g;
/** The name without the table of an `each`, which stands before it. */
const NAME_ALONE = /(?<=(?<![.\w'"`])(?:it|describe|test)\(\s*|\)\(\s*)(?:'(?:[^'\\\n]|\\.)*'|"[^"\n]*"|`[^`]*`)/g;
/** A description of a schema or an answer, or the summary of a route. Strings that are joined by `+` are one text. */
const API_TEXT =
  /(?:\bdescription:|@Summary\()\s*(?:'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`[^`]*`)(?:\s*\+\s*(?:'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`[^`]*`))*/g;
const IS_TEST = /\.(spec|contract)\.tsx?$/;
const KINDS = {
  ts: 'ts',
  tsx: 'ts',
  mjs: 'ts',
  cjs: 'ts',
  rego: 'hash',
  yaml: 'hash',
  yml: 'hash',
  sh: 'hash',
  '.ci/run': 'hash',
  sql: 'sql',
  md: 'md',
};
const kindOf = (name) => KINDS[name] ?? KINDS[name.split('.').at(-1)];

/** Code in a text is no English. That is `who` in a name, a JSON member, a fenced block, and the address of a link. */
const withoutCode = (text) =>
  text.replace(/```[\s\S]*?```|`[^`\n]*`|\]\([^)\n]*\)/g, (code) => code.replace(/[^\n]/g, ' '));

/** A test has names, and descriptions of examples. Any other program may have texts of the API. */
const textsOf = (name, kind, testName) => (kind !== 'ts' ? [] : [IS_TEST.test(name) ? testName : API_TEXT]);

/**
 * @param {string} name a file's path: its ending tells the language, and whether it has names of tests
 * @param {string} source its text
 * @returns {{ words: number, clauses: { line: number, text: string }[] }}
 */
export function clausesIn(name, source) {
  const kind = kindOf(name);
  if (kind === undefined) return { words: 0, clauses: [] };
  const patterns = [...COMMENT_OF[kind], ...textsOf(name, kind, TEST_NAME)];
  let words = 0;
  const clauses = [];
  for (const pattern of patterns) {
    for (const { 0: raw, index } of source.matchAll(pattern)) {
      const text = withoutCode(raw);
      words += text.match(/[A-Za-z']+/g)?.length ?? 0;
      for (const { index: at } of text.matchAll(CLAUSE)) {
        clauses.push({
          line: source.slice(0, index + at).split('\n').length,
          text: text.slice(Math.max(0, at - 30), at + 60).replace(/\s*\n\s*(?:\*|\/\/|#|--)?\s*/g, ' '),
        });
      }
    }
  }
  return { words, clauses };
}

/**
 * @param {string} name a file's path: its ending tells the language, and whether it has names of tests
 * @param {string} source its text
 * @returns {{ line: number, text: string }[]} the sentences of more than {@link MAX_SENTENCE} words, without tables, diagrams, usages and code.
 */
export function longSentencesIn(name, source) {
  const kind = kindOf(name);
  if (kind === undefined) return [];
  const patterns = [BLOCK_OF[kind], ...textsOf(name, kind, NAME_ALONE)];
  const texts = patterns.flatMap((pattern) => [...source.matchAll(pattern)]);
  return texts.flatMap(({ 0: raw, index }) => {
    const before = source.slice(0, index).split('\n').length;
    const text = raw
      .replace(/^(?:description:|@Summary\()\s*|(?<=['"`]\s*)\+(?=\s*['"`])/g, '')
      .replace(/```[\s\S]*?```|^[ \t]*\|.*$|^.*(?:──|-->|\w {3,}\S).*$/gm, (table) => table.replace(/[^\n]+/g, '.'))
      .replace(/`[^`\n]*`|\]\([^)\n]*\)|<[^>]*>|^[ \t]*(?:\/\*\*?|\*\/|\*(?!\*)|\/\/|#+|--)/gm, ' ');
    const sentences = [...text.matchAll(SENTENCE)].flatMap(({ 0: whole, index: start }) =>
      SEMICOLON_ENDS.test(name) || /:\s[^;]*;/.test(whole)
        ? [...whole.matchAll(ITEM)].map(({ 0: sentence, index }) => ({ sentence, at: start + index }))
        : [{ sentence: whole, at: start }],
    );
    return sentences.flatMap(({ sentence, at }) =>
      (sentence.match(/[^\s—–]*\w[^\s—–]*/g)?.length ?? 0) <= MAX_SENTENCE
        ? []
        : [{ line: before + text.slice(0, at).split('\n').length - 1, text: sentence.replace(/\s+/g, ' ') }],
    );
  });
}

/** Files that people of the project wrote. The reference pages come from the descriptions of schemas. */
const isWritten = (path) =>
  kindOf(path) !== undefined &&
  !path.startsWith('docs/reference/') &&
  !['libs/clients/client/src/api.ts'].includes(path);

const isBeyond = ({ words, clauses, sentences }) =>
  sentences.length > 0 || clauses.length > Math.max(1, (MAX_IN_1000 * words) / 1_000);

/** @returns {{ path: string, words: number, clauses: object[], sentences: object[], isBeyond: boolean }[]} */
export function countWords(root, paths = []) {
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '--', ...paths], {
    cwd: root,
    encoding: 'utf8',
  });
  return listed
    .split('\n')
    .filter(isWritten)
    .flatMap((path) => {
      let source;
      try {
        source = readFileSync(`${root}/${path}`, 'utf8');
      } catch (error) {
        if (error.code === 'ENOENT') return []; // deleted, and not yet committed
        throw error;
      }
      const counted = { ...clausesIn(path, source), sentences: longSentencesIn(path, source) };
      return [{ path, ...counted, isBeyond: isBeyond(counted) }];
    });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const paths = process.argv.slice(2);
  for (const { path, words, clauses, sentences, isBeyond } of countWords(process.cwd(), paths)) {
    if (paths.length > 0) {
      for (const { line, text } of clauses) console.log(`${path}:${line}: …${text}`);
      for (const { line, text } of sentences) console.log(`${path}:${line}: over ${MAX_SENTENCE} words: ${text}`);
    }
    if (isBeyond)
      console.log(`! ${path}: ${clauses.length} clauses in ${words} words, ${sentences.length} long sentences`);
  }
}
