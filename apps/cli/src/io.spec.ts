import { once } from 'node:events';
import { PassThrough, Writable } from 'node:stream';
import { lineReader, writerTo } from './io.js';

describe('the standard input', () => {
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

describe('the output of a command', () => {
  test('ends the command at the second text after its reader has gone, and not with 0', async () => {
    const failure = Object.assign(new Error('write EPIPE'), { code: 'EPIPE' });
    const pipe = new Writable({
      write: (_text, _encoding, done) => {
        done(failure);
      },
    });
    const gone = new Promise((resolve) => pipe.once('close', resolve));
    const write = writerTo(pipe);
    write('a line\n');
    await gone;
    expect(() => {
      write('the next line\n');
    }).toThrow(expect.objectContaining({ name: 'Ended', exitCode: 141 }) as Error);
  });

  test('reaches its reader', async () => {
    const pipe = new PassThrough();
    writerTo(pipe)('a line\n');
    expect(await once(pipe, 'data')).toEqual([Buffer.from('a line\n')]);
  });
});
