import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DirectoryCheckpointPublisher } from './directory-checkpoint-publisher.js';

const note = (size: number, root: string, signature = 's'): string =>
  `countersign/t/1\n${String(size)}\n${root}\n\n— k ${signature}\n`;

describe('directory checkpoint publisher', () => {
  let directory: string;
  let publisher: DirectoryCheckpointPublisher;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'published-'));
    publisher = new DirectoryCheckpointPublisher(directory);
  });
  afterEach(() => rm(directory, { recursive: true }));
  const latest = (): Promise<string> => readFile(join(directory, 'countersign/t/1/latest.note'), 'utf8');

  test('keeps every checkpoint, and the largest as the latest', async () => {
    for (const size of [1, 9, 10])
      expect(await publisher.publish('countersign/t/1', size, note(size, 'r'))).toEqual({ outcome: 'published' });
    expect(await latest()).toBe(note(10, 'r'));
    expect((await readdir(join(directory, 'countersign/t/1'))).sort()).toEqual([
      '0000000000000001.note',
      '0000000000000009.note',
      '0000000000000010.note',
      'latest.note',
    ]);
  });

  test('T30: never goes back to a smaller one, and refuses a fork', async () => {
    await publisher.publish('countersign/t/1', 10, note(10, 'r'));
    expect(await publisher.publish('countersign/t/1', 9, note(9, 'r'))).toEqual({
      outcome: 'behind',
      held: note(10, 'r'),
    });
    expect(await publisher.publish('countersign/t/1', 10, note(10, 'other'))).toEqual({
      outcome: 'fork',
      held: note(10, 'r'),
    });
    expect(await latest()).toBe(note(10, 'r'));
  });

  test('the same checkpoint again is no fork, not even signed anew; another epoch is another log', async () => {
    await publisher.publish('countersign/t/1', 10, note(10, 'r'));
    expect(await publisher.publish('countersign/t/1', 10, note(10, 'r', 'again'))).toEqual({ outcome: 'published' });
    expect(await latest()).toBe(note(10, 'r'));
    expect(await publisher.publish('countersign/t/2', 1, note(1, 'x'))).toEqual({ outcome: 'published' });
  });
});
