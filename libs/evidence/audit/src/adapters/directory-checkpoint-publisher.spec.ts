import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DirectoryCheckpointPublisher } from './directory-checkpoint-publisher.js';
import { HttpsCheckpointPublisher } from './https-checkpoint-publisher.js';

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

describe('https checkpoint publisher', () => {
  const answering = (status: number, body: string | null, seen: [string, RequestInit][] = []) =>
    new HttpsCheckpointPublisher({
      url: 'https://log.example/checkpoints/',
      token: 't0ken',
      fetch: (url, init) => {
        seen.push([url as string, init ?? {}]);
        return Promise.resolve(new Response(body, { status }));
      },
    });

  test('puts the note, and reads the answer', async () => {
    const seen: [string, RequestInit][] = [];
    expect(await answering(201, '', seen).publish('countersign/t/1', 7, note(7, 'r'))).toEqual({
      outcome: 'published',
    });
    expect(seen[0]?.[0]).toBe('https://log.example/checkpoints/countersign/t/1/7');
    expect(seen[0]?.[1]).toMatchObject({
      method: 'PUT',
      body: note(7, 'r'),
      redirect: 'error',
      headers: { authorization: 'Bearer t0ken' },
    });
    expect(await answering(409, note(9, 'r')).publish('o', 7, 'n')).toEqual({ outcome: 'behind', held: note(9, 'r') });
    expect(await answering(409, note(7, 'x')).publish('o', 7, 'n')).toEqual({ outcome: 'fork', held: note(7, 'x') });
  });

  test('asks for the largest checkpoint of a log, also if the database has none', async () => {
    const seen: [string, RequestInit][] = [];
    expect(await answering(200, note(9, 'r'), seen).held('countersign/t/2')).toBe(note(9, 'r'));
    expect(seen[0]?.[0]).toBe('https://log.example/checkpoints/countersign/t/2');
    expect(seen[0]?.[1]).toMatchObject({
      method: 'GET',
      redirect: 'error',
      headers: { authorization: 'Bearer t0ken' },
    });
    expect(await answering(404, 'none').held('countersign/t/2')).toBeNull();
    for (const status of [204, 405, 503])
      await expect(answering(status, null).held('countersign/t/2')).rejects.toThrow(String(status));
  });

  test('anything else is tried again, and only https is taken', async () => {
    await expect(answering(503, 'busy').publish('o', 7, 'n')).rejects.toThrow('503');
    expect(() => new HttpsCheckpointPublisher({ url: 'http://log.example', fetch })).toThrow('https');
  });
});
