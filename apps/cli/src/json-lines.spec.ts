import { jsonLines } from './json-lines.js';

async function* inPieces(...pieces: readonly (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) yield await Promise.resolve(typeof piece === 'string' ? Buffer.from(piece) : piece);
}

async function read(pieces: AsyncIterable<Uint8Array>, longest = 100): Promise<string[]> {
  const lines: string[] = [];
  for await (const { number, text } of jsonLines(pieces, longest)) lines.push(`${String(number)} ${text}`);
  return lines;
}

it('splits lines wherever the pieces end, also inside a character', async () => {
  const euro = Buffer.from('€');
  expect(await read(inPieces('a\nb', 'c\n\nd', euro.subarray(0, 1), euro.subarray(1), '\ne'))).toEqual([
    '1 a',
    '2 bc',
    '3 ',
    '4 d€',
    '5 e',
  ]);
  expect(await read(inPieces())).toEqual([]);
});

it('gives a line as soon as it has ended', async () => {
  const asked: string[] = [];
  async function* slow(): AsyncGenerator<Uint8Array> {
    for (const piece of ['a\n', 'b\n']) {
      asked.push(piece);
      yield await Promise.resolve(Buffer.from(piece));
    }
  }
  expect(await jsonLines(slow(), 100).next()).toEqual({ done: false, value: { number: 1, text: 'a' } });
  expect(asked).toEqual(['a\n']);
});

it('refuses a line that is too long before it has ended', async () => {
  async function* endless(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('ok\n');
    for (;;) yield await Promise.resolve(Buffer.alloc(60, 'x'));
  }
  await expect(read(endless())).rejects.toMatchObject({
    code: 'input.line_too_long',
    exitCode: 2,
    message: 'Line 2 is longer than 100 bytes.',
  });
  expect(await read(inPieces('x'.repeat(100), '\n'))).toHaveLength(1);
});

it('refuses bytes that are no UTF-8', async () => {
  await expect(read(inPieces('a\n', Buffer.from([0x6c, 0xff, 0x0a])))).rejects.toMatchObject({
    code: 'input.not_utf8',
    message: 'Line 2 is not UTF-8.',
  });
});
