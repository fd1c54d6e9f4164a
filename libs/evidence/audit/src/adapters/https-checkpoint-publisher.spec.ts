import { HttpsCheckpointPublisher } from './https-checkpoint-publisher.js';

const note = (size: number, root: string): string => `countersign/t/1\n${String(size)}\n${root}\n\n— k s\n`;

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
    expect(await answering(200, note(7, 'r'), seen).publish('countersign/t/1', 7, note(7, 'r'))).toEqual({
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

  /** A destination that keeps what it is sent, and may not show it. */
  const keeping = ({ shows }: { shows: boolean }) => {
    const asked: string[] = [];
    let kept: string | null = null;
    const publisher = new HttpsCheckpointPublisher({
      url: 'https://log.example',
      fetch: (url, init) => {
        asked.push(`${init?.method ?? ''} ${new URL(url).pathname}`);
        if (init?.method === 'PUT') kept = init.body as string;
        else if (!destination.shows) return Promise.resolve(new Response('unknown', { status: 404 }));
        return Promise.resolve(new Response(kept));
      },
    });
    const destination = {
      shows,
      asked,
      publish: (size: number) => publisher.publish('countersign/t/1', size, note(size, 'r')),
    };
    return destination;
  };

  test('T57: a checkpoint counts as published only if the destination shows one of its log', async () => {
    const destination = keeping({ shows: false });
    const blind = {
      failure: {
        code: 'audit.destination_shows_nothing',
        message: expect.stringContaining('/countersign/t/1') as unknown,
      },
    };
    for (const size of [1, 2]) await expect(destination.publish(size)).rejects.toMatchObject(blind);
    destination.shows = true;
    expect(await destination.publish(3)).toEqual({ outcome: 'published' });
  });

  test('a destination that has shown a log is not asked again', async () => {
    const destination = keeping({ shows: true });
    for (const size of [1, 2]) expect(await destination.publish(size)).toEqual({ outcome: 'published' });
    expect(destination.asked).toEqual(['PUT /countersign/t/1/1', 'GET /countersign/t/1', 'PUT /countersign/t/1/2']);
  });

  test('anything else is tried again, and only https is taken', async () => {
    await expect(answering(503, 'busy').publish('o', 7, 'n')).rejects.toThrow('503');
    expect(() => new HttpsCheckpointPublisher({ url: 'http://log.example', fetch })).toThrow('https');
  });
});
