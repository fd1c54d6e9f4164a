import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

const root = join(__dirname, '../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const pages = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.md'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter((path) => path !== '' && existsSync(join(root, path)));

const FENCE = /```[^\n]*\n([\s\S]*?)```/g;
const withoutCode = (text: string): string => text.replaceAll(FENCE, '').replaceAll(/`[^`\n]*`/g, '');

/** The anchor that GitHub gives a heading; equal ones of a page are numbered. */
const anchorOf = (heading: string): string =>
  heading
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replaceAll(/[^\w\- ]/g, '')
    .trim()
    .replaceAll(' ', '-');

function anchorsOf(path: string): ReadonlySet<string> {
  const anchors = new Set<string>();
  for (const [, heading = ''] of read(path)
    .replaceAll(FENCE, '')
    .matchAll(/^#+ (.*)$/gm)) {
    const anchor = anchorOf(heading);
    let number = 0;
    while (anchors.has(number === 0 ? anchor : `${anchor}-${String(number)}`)) number += 1;
    anchors.add(number === 0 ? anchor : `${anchor}-${String(number)}`);
  }
  return anchors;
}

/** The links of a page that lead nowhere. */
function deadLinks(page: string): readonly string[] {
  const links = withoutCode(read(page)).matchAll(/\]\(([^)\s]+)\)|(?:src|srcset|href)="([^"]+)"/g);
  return [...links].flatMap(([, inText, inTag]) => {
    const link = inText ?? inTag ?? '';
    if (/^\w+:/.test(link)) return [];
    const [path = '', anchor] = link.split('#');
    const target = path === '' ? page : normalize(join(dirname(page), path));
    const isThere = existsSync(join(root, target));
    return isThere && (anchor === undefined || !target.endsWith('.md') || anchorsOf(target).has(anchor)) ? [] : [link];
  });
}

/** Each command of the reference, by its words, with its options. */
const COMMANDS: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  [...read('docs/reference/cli.md').matchAll(/^#+ `countersign ?([^`]*)`\n([\s\S]*?)(?=^#+ `|$(?![\s\S]))/gm)].map(
    ([, words = '', help = '']) => [words, new Set(help.match(/(?<![\w-])--[a-z][\w-]*/g))],
  ),
);

/** The commands of a text that do not exist, and options that theirs lacks. */
const unknownCommands = (text: string): readonly string[] =>
  [
    ...text.matchAll(
      /(?:^|[\s('])(?:npx )?countersign ((?:--[\w-]+ \S+ )*)([a-z][a-z-]*(?![^\s|;&#`)'])[^|;&#`)'\n]*)/gm,
    ),
  ].flatMap(([, options = '', rest = '']) => {
    const words = rest.trim().split(/\s+/);
    let length = words.length;
    while (length > 0 && !COMMANDS.has(words.slice(0, length).join(' '))) length -= 1;
    const command = words.slice(0, length).join(' ');
    if (length === 0) return [`countersign ${rest}`];
    const known = new Set([...(COMMANDS.get('') ?? []), ...(COMMANDS.get(command) ?? [])]);
    return [...options.split(' '), ...words.slice(length)]
      .map((word) => word.replace(/[=,.].*$/, ''))
      .filter((word) => /^--\w/.test(word) && !known.has(word))
      .map((option) => `countersign ${command} ${option}`);
  });

const codeOf = (page: string): string =>
  [
    ...[...read(page).matchAll(FENCE)].map(([, block = '']) => block.replaceAll('\\\n', ' ')),
    ...[
      ...read(page)
        .replaceAll(FENCE, '')
        .matchAll(/`([^`\n]+)`/g),
    ].map(([, code = '']) => code),
  ].join('\n');

describe('a page for people', () => {
  it('has no dead link', () => {
    expect(pages.length).toBeGreaterThan(70);
    expect(pages.flatMap((page) => deadLinks(page).map((link) => `${page}: ${link}`))).toEqual([]);
  });

  it('names commands and options that the command line has', () => {
    expect(COMMANDS.size).toBeGreaterThan(150);
    expect(unknownCommands('npx countersign verify a.json --keys b')).toEqual(['countersign verify --keys']);
    expect(unknownCommands('countersign --token-file t verify a.json\n  countersign verity')).toEqual([
      'countersign verity',
    ]);
    const written = pages.filter((page) => page !== 'docs/reference/cli.md');
    expect(written.flatMap((page) => unknownCommands(codeOf(page)).map((unknown) => `${page}: ${unknown}`))).toEqual(
      [],
    );
  });

  it('names scripts of package.json, and tests and folders that are there', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const missing = pages.flatMap((page) => {
      const code = codeOf(page);
      const run = [...code.matchAll(/npm run ([a-z][\w:-]*)/g)].filter(([, name = '']) => scripts[name] === undefined);
      const paths = [...code.matchAll(/(?:^|\s)((?:libs|apps|test|tools|examples)\/[\w./-]*\w)(?=\s|$)/gm)];
      return [...run, ...paths.filter(([, path = '']) => !existsSync(join(root, path)))].map(
        ([, name = '']) => `${page}: ${name}`,
      );
    });
    expect(missing).toEqual([]);
  });
});
