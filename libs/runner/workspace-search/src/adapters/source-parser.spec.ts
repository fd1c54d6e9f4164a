import type { OutlineNode } from '../domain/piece.js';
import { SourceParser } from './source-parser.js';

let parser: SourceParser;
beforeAll(async () => {
  parser = await SourceParser.make();
});
afterAll(() => {
  parser.close();
});

const named = (nodes: readonly OutlineNode[] | null): string[] =>
  (nodes ?? []).flatMap(({ name, kind, members }) =>
    name === null ? [] : [`${kind ?? '-'} ${[name, ...members].join(' ')}`],
  );

/** By grammar: a text of it, and its names. */
const SOURCES: readonly (readonly [grammar: string, text: string, names: readonly string[]])[] = [
  [
    'typescript',
    'export interface A { b: string }\nexport class C { d() {} }\nexport const e = () => 1;\nfunction f() {}\ntype G = 1;\ndescribe("h", () => 1);\n',
    ['interface A b', 'class C d', 'function e', 'function f', 'type G', '- describe h'],
  ],
  ['tsx', 'export function Page() { return <p />; }\n', ['function Page']],
  ['javascript', 'class A { b() {} }\nmodule.exports = A;\n', ['class A b', '- module.exports']],
  ['python', '@x\nclass A:\n    def b(self): pass\n\ndef c(): pass\n', ['class A b', 'function c']],
  ['go', 'package a\ntype B struct{}\nfunc (b *B) C() {}\nfunc D() {}\n', ['type B', 'method B.C', 'function D']],
  ['java', 'class A { void b() {} }\ninterface C { void d(); }\n', ['class A b', 'interface C d']],
  [
    'rust',
    'struct A;\nimpl A { fn b() {} }\ntrait C { fn d(); }\nfn e() {}\n',
    ['struct A', 'implementation A b', 'trait C d', 'function e'],
  ],
  ['ruby', 'class A\n  def b; end\nend\nmodule C\nend\n', ['class A b', 'module C']],
  ['c-sharp', 'class A { void B() {} }\n', ['class A B']],
  ['cpp', 'class A { void b(); };\nint c(int d) { return d; }\n', ['class A b', 'function c']],
  ['php', '<?php\nclass A { function b() {} }\nfunction c() {}\n', ['class A b', 'function c']],
  ['bash', 'a() { echo b; }\n', ['function a']],
  ['powershell', 'function A { 1 }\n', ['function A']],
  ['css', '.a { color: red }\n', ['- .a']],
];

describe('the outline of a source file', () => {
  it.each(SOURCES)('has the names of %s', async (grammar, text, names) => {
    expect(named(await parser.outline(grammar, text))).toEqual(names);
  });

  it('has a comment, a decorator and an attribute with the declaration below them', async () => {
    const text = '// a\n\n/** b */\n// c\nexport class D {}\n';
    expect(await parser.outline('typescript', text)).toMatchObject([{ first: 2, last: 4, name: 'D' }]);
    expect(await parser.outline('rust', '#[x]\nfn a() {}\n')).toMatchObject([{ first: 0, last: 1, name: 'a' }]);
  });

  it('has the parts of a declaration that is too large for a piece, and of no other one', async () => {
    const method = (name: string) => `  ${name}() {\n${'    x;\n'.repeat(40)}  }\n`;
    const [large] = (await parser.outline('typescript', `class A {\n${method('b')}${method('c')}}\n`)) ?? [];
    expect(large).toMatchObject({
      name: 'A',
      members: [],
      children: [
        { name: 'b', last: 42 },
        { name: 'c', first: 43 },
      ],
    });
    const [small] = (await parser.outline('typescript', 'class A { b() {} }')) ?? [];
    expect(small).toMatchObject({ members: ['b'], children: [] });
  });

  it('knows imports', async () => {
    const imports = (await parser.outline('python', 'import a\nfrom b import c\nx = 1\n')) ?? [];
    expect(imports.map((each) => each.imports)).toEqual([true, true, false]);
  });

  it('is there for a text in another language, too', async () => {
    expect(await parser.outline('typescript', '}}} ((( <<< \u0001 class')).not.toBeNull();
    expect(await parser.outline('go', '')).toEqual([]);
  });
});
