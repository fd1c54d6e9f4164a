import { Readable } from 'node:stream';
import { CountersignError } from '#lib/sdk';
import { readDocument, withPositions } from './documents.js';
import type { Io } from './io.js';

const typed = (text: string): Io => ({
  environment: {},
  out: () => undefined,
  err: () => undefined,
  readLine: () => Promise.resolve(null),
  readAll: () => Promise.resolve(text),
  pieces: () => Readable.from([]),
  replay: () => Promise.resolve(null),
});

const read = (text: string) => readDocument('-', typed(text));

describe('the reader of documents', () => {
  it('reads YAML and JSON', async () => {
    expect((await read('goal: x\nconstraints: { max_batch_percent: 20 }\n')).value).toEqual({
      goal: 'x',
      constraints: { max_batch_percent: 20 },
    });
    expect((await read('{\n\t"goal": "x"\n}')).value).toEqual({ goal: 'x' });
  });

  it.each([
    ['a: [1\nb: 2\n', 'line 2, column 1'],
    ['a: 1\na: 2\n', 'line 2, column 1'],
    ['a:\n  - 1\n b: 2\n', 'line 3, column 1'],
    ['a: 1\n---\nb: 2\n', 'line 2, column 1: a second document begins here, and one is read'],
  ])('says where %j is wrong', async (text, position) => {
    await expect(read(text)).rejects.toMatchObject({
      exitCode: 2,
      details: expect.arrayContaining([expect.stringContaining(position)]) as unknown,
    });
  });

  it.each(['', '- a\n', 'just words\n'])('refuses %j, which is no document', async (text) => {
    await expect(read(text)).rejects.toMatchObject({ exitCode: 2 });
  });

  it('refuses a file that is not there', async () => {
    await expect(readDocument('no/such/file.yaml', typed(''))).rejects.toMatchObject({
      exitCode: 2,
      message: 'There is no file no/such/file.yaml.',
    });
  });

  it('refuses aliases that multiply', async () => {
    const bomb = [
      'a: &a [x,x,x,x,x,x,x,x,x,x]',
      ...'bcdef'.split('').map((name, at) => `${name}: &${name} [${`*${'abcde'[at] ?? ''},`.repeat(10)}]`),
    ];
    await expect(read(bomb.join('\n'))).rejects.toMatchObject({ exitCode: 2 });
  });
});

describe('the search for the place of an error', () => {
  const source = 'phases:\n  - name: canary\n    steps:\n      - id: a/b\n        tool: x\n';

  it.each([
    ['/phases/0/steps/0/tool', 5, 9],
    ['/phases/0/name', 2, 5],
    ['/phases/0/steps/0/missing', 4, 9],
    ['', 1, 1],
  ])('finds %s in the file', async (pointer, line, column) => {
    const document = await read(source);
    expect(document.positionOf(pointer)).toEqual({ line, column });
  });

  it('puts line and column beside the pointers of a refusal', async () => {
    const refusal = new CountersignError({
      type: 'urn:countersign:problem:plan.invalid',
      title: '',
      status: 422,
      detail: '',
      code: 'plan.invalid',
      errors: [{ pointer: '/phases/0/steps/0/tool', code: 'plan.unknown_tool', message: 'There is no tool "x".' }],
      instance: '',
    });
    await expect(withPositions(await read(source), Promise.reject(refusal))).rejects.toMatchObject({
      problem: { errors: [{ line: 5, column: 9, code: 'plan.unknown_tool' }] },
    });
  });
});
