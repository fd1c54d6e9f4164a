/**
 * Counts clauses that stand in the place of a noun (`what is out`, `whoever made it`) and `where` for `if`
 * (`null where there is none`) in comments, names of tests, descriptions of schemas, and pages.
 *
 *   npm run words                  the rate of every folder
 *   npm run words -- PATH ...      each place below these paths, and their rate
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Clauses in 1,000 words that a folder may have; good codebases of the field have 0.1 to 1.6. */
export const MAX_IN_1000 = 3;

/** `who` is a noun's own clause after a noun (`a person who signs in`), and stands for the noun elsewhere (`tells who signed in`). */
const CLAUSE = new RegExp(
  '\\b(?:what|whatever|whoever|whomever|whose|whom|whichever|nobody)\\b' +
    '|(?:^|[.:;,(—]\\s*|\\b(?:of|by|to|for|from|with|in|on|at|and|or|that|than|is|was|are|as|about|if|but|since|so' +
    '|tells|says|say|see|sees|knows|know|shows|names|asks|decides)\\s)who\\b' +
    // At the head of a comment, or of a description: `Who asked for it`, `Why it failed`, `Where it goes`.
    "|(?:\\/\\*\\*?(?:\\s*\\*)?|\\/\\/|--|\\bis\\s+'|\\bdescription:\\s*['\"`])\\s*(?:who|why|where)\\b" +
    // `where` of a condition: after a result or a refusal, or before a subject that is or has something. A place has neither.
    '|\\b(?:null|undefined|false|nothing|empty|absent|only|even|not|also|@returns|throws(?: \\{\\w+\\})?|rejects|refuse[sd]|denie[sd]' +
    '|fails|warns|waits)\\s+(?:\\*\\s+)?where\\b' +
    '|\\bwhere (?:there|none|nothing|nobody|somebody|anybody|that) (?:is|are|was|were|has|have|can|may|comes)\\b' +
    '|\\bwhere (?:it|they) (?:says|say|loosens|may|cannot)\\b' +
    '|\\bwhere (?:the|an?|its|their) \\w+ (?:has|had|says so|asks|did|allows|demands|set|gave|lacks)\\b',
  'gi',
);

const COMMENT_OF = {
  ts: [/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/[^\n]*/g],
  rego: [/^\s*#[^\n]*/gm],
  sql: [/--[^\n]*|\bis\s+'(?:[^']|'')*'/g],
  md: [/[\s\S]+/g],
};
const TEST_NAME = /\b(?:it|describe)(?:\.each\((?:[^()]|\([^()]*\))*\))?\(\s*(?:'[^'\n]*'|"[^"\n]*"|`[^`]*`)/g;
const DESCRIPTION = /\bdescription:\s*(?:'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`[^`]*`)/g;
const KINDS = { ts: 'ts', tsx: 'ts', mjs: 'ts', cjs: 'ts', rego: 'rego', sql: 'sql', md: 'md' };

/** Code in a text is no English: `who` in a name, a JSON member, a fenced block. */
const withoutCode = (text) => text.replace(/```[\s\S]*?```|`[^`\n]*`/g, (code) => code.replace(/[^\n]/g, ' '));

/**
 * @param {string} name a file's path: its ending tells the language, and its folder whether it holds schemas
 * @param {string} source its text
 * @returns {{ words: number, clauses: { line: number, text: string }[] }}
 */
export function clausesIn(name, source) {
  const kind = KINDS[name.split('.').at(-1)];
  if (kind === undefined) return { words: 0, clauses: [] };
  const isTest = /\.(spec|contract)\.ts$/.test(name);
  const isSchema = name.startsWith('libs/foundation/');
  const patterns = [
    ...COMMENT_OF[kind],
    ...(isTest ? [TEST_NAME] : []),
    ...(isSchema && kind === 'ts' ? [DESCRIPTION] : []),
  ];
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

/** A library, an app, a kind of tests, or a folder of the first level. */
const folderOf = (path) => {
  const parts = path.split('/');
  const depth = parts[0] === 'libs' ? 3 : ['apps', 'test', 'docs'].includes(parts[0]) ? 2 : 1;
  return parts.slice(0, Math.min(depth, parts.length - 1)).join('/') || '.';
};

/** Files that people of the project wrote. The reference pages come from the descriptions of schemas. */
const isWritten = (path) =>
  path.split('.').at(-1) in KINDS &&
  !path.startsWith('docs/reference/') &&
  !['libs/clients/client/src/api.ts'].includes(path);

/** @returns {Map<string, { words: number, places: string[] }>} by folder */
export function countWords(root, paths = []) {
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '--', ...paths], {
    cwd: root,
    encoding: 'utf8',
  });
  const folders = new Map();
  for (const path of listed.split('\n').filter(isWritten)) {
    let source;
    try {
      source = readFileSync(`${root}/${path}`, 'utf8');
    } catch (error) {
      if (error.code === 'ENOENT') continue; // deleted, and not yet committed
      throw error;
    }
    const { words, clauses } = clausesIn(path, source);
    const folder = folders.get(folderOf(path)) ?? { words: 0, places: [] };
    folders.set(folderOf(path), folder);
    folder.words += words;
    folder.places.push(...clauses.map(({ line, text }) => `${path}:${line}: …${text}`));
  }
  return folders;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const paths = process.argv.slice(2);
  const folders = countWords(process.cwd(), paths);
  for (const [folder, { words, places }] of [...folders].sort(([a], [b]) => a.localeCompare(b))) {
    if (paths.length > 0) for (const place of places) console.log(place);
    const rate = words === 0 ? 0 : (1000 * places.length) / words;
    console.log(
      `${rate > MAX_IN_1000 ? '!' : ' '} ${rate.toFixed(1).padStart(5)} in 1,000  ${String(words).padStart(6)} words  ${folder}`,
    );
  }
}
