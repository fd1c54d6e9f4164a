import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as ts from 'typescript';
import { packageRoot } from '#lib/database';

interface Row {
  readonly id: string;
  readonly tests: readonly (readonly [file: string, title: string])[];
}

/** T70 to T74 are not given out. */
const THREATS = Array.from({ length: 77 }, (_, index) => index + 1)
  .filter((number) => number < 70 || number > 74)
  .map((number) => `T${String(number).padStart(2, '0')}`);

const root = packageRoot();
const rows: Row[] = readFileSync(join(root, 'docs/threats.md'), 'utf8')
  .split(/^- (?=\*\*T\d\d\*\*)/m)
  .slice(1)
  .map((row) => ({
    id: row.slice(2, 5),
    tests: [...row.matchAll(/^ {2}- `([^`]+)`: (.+)$/gm)].map(([, file = '', title = '']) => [file, title] as const),
  }));

/** The titles of a spec's tests and groups of tests. The values that a template inserts are written as `…`. */
function titlesIn(file: string): string[] {
  const source = ts.createSourceFile(file, readFileSync(join(root, file), 'utf8'), ts.ScriptTarget.Latest);
  const titles: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && /^(describe|it|test)\b/.test(node.expression.getText(source))) {
      const [title] = node.arguments;
      if (title !== undefined && ts.isStringLiteralLike(title)) titles.push(title.text);
      if (title !== undefined && ts.isTemplateExpression(title))
        titles.push(title.head.text + title.templateSpans.map((span) => `…${span.literal.text}`).join(''));
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return titles;
}

describe('docs/threats.md', () => {
  it('has every threat once, in a row of its own', () => {
    expect(rows.map(({ id }) => id).sort()).toEqual(THREATS);
  });

  it('has a test of every threat', () => {
    expect(rows.filter(({ tests }) => tests.length === 0).map(({ id }) => id)).toEqual([]);
  });

  it.each(rows.flatMap(({ id, tests }) => tests.map(([file, title]) => [id, file, title] as const)))(
    '%s is covered in %s by “%s”',
    (id, file, title) => {
      expect(existsSync(join(root, file))).toBe(true);
      expect(titlesIn(file)).toContain(title);
      expect(title).toContain(id);
    },
  );
});
