import { PassThrough } from 'node:stream';
import { lineReader } from './io.js';

describe('what somebody types', () => {
  test('is read a line for each question, and nothing that comes in one piece is lost', async () => {
    const input = new PassThrough();
    const readLine = lineReader(input);
    input.write('7d954e8a\n123456\nand ');
    expect(await readLine()).toBe('7d954e8a');
    expect(await readLine()).toBe('123456');
    input.end('more');
    expect(await readLine()).toBe('and more');
    expect(await readLine()).toBeNull();
    expect(await readLine()).toBeNull();
  });
});
