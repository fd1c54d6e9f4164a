import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { owedAnswer, type OwedAnswer } from '../../../../test/support/owed-answer.js';
import { untilGone } from '../http/index.js';
import { EventStream } from './event-stream.js';

let owed: OwedAnswer;
let client: Socket;
let response: ServerResponse;

beforeEach(async () => {
  owed = await owedAnswer();
  ({ client, response } = owed);
});
afterEach(() => owed.close());

const EVENT = `data: ${'x'.repeat(65_536)}\n\n`;
/** More than the buffers of two sockets take. */
const MANY = 1_000;
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

it('is open for its client before anything happens', async () => {
  const stream = new EventStream(response, untilGone(response));
  const [head] = (await once(client.resume(), 'data')) as [Buffer];
  expect(head.toString()).toMatch(/^HTTP\/1\.1 200 OK\r\ncontent-type: text\/event-stream/);
  stream.end();
});

it('drops a client with too many unread events', async () => {
  const unreadBytes = 262_144;
  const stream = new EventStream(response, untilGone(response), { unreadBytes, drainMs: 60_000 });
  let kept = 0;
  for (let sent = 0; sent < MANY && !stream.over.aborted; sent += 1) {
    stream.send(EVENT);
    kept = Math.max(kept, response.writableLength);
    await turn();
  }
  expect(stream.over.aborted).toBe(true);
  expect(kept).toBeLessThan(unreadBytes + 2 * EVENT.length);
});

it('drops a client that takes nothing for too long, and keeps one event for it until then', async () => {
  const stream = new EventStream(response, untilGone(response), { unreadBytes: Infinity, drainMs: 20 });
  let kept = 0;
  for (let sent = 0; sent < MANY && !stream.over.aborted; sent += 1) {
    stream.send(EVENT);
    kept = Math.max(kept, response.writableLength);
    await stream.taken();
    await turn();
  }
  expect(stream.over.aborted).toBe(true);
  expect(kept).toBeLessThan(2 * EVENT.length);
});

it('waits no longer once the stream is over', async () => {
  const over = new AbortController();
  const stream = new EventStream(response, over.signal, { unreadBytes: Infinity, drainMs: 60_000 });
  while (!response.writableNeedDrain) {
    stream.send(EVENT);
    await turn();
  }
  const taken = stream.taken();
  over.abort();
  await taken;
  expect(response.destroyed).toBe(false);
});

it('sends nothing once the stream is over', async () => {
  const over = new AbortController();
  const stream = new EventStream(response, over.signal);
  const read = text(client);
  stream.send('data: before\n\n');
  over.abort();
  stream.send('data: afterwards\n\n');
  stream.end();
  expect(await read).toMatch(/before/);
  expect(await read).not.toMatch(/afterwards/);
});

it('waits only so long for a client that does not take the end', async () => {
  const stream = new EventStream(response, untilGone(response), { unreadBytes: Infinity, drainMs: 20 });
  for (let sent = 0; sent < MANY; sent += 1) stream.send(EVENT);
  stream.end();
  await once(response, 'close');
  const lastChunk = '0\r\n\r\n';
  expect((await text(client)).endsWith(lastChunk)).toBe(false);
});

it('sends a client that reads all of it, in order', async () => {
  const stream = new EventStream(response, untilGone(response));
  const read = text(client);
  for (let id = 0; id < 100; id += 1) {
    stream.send(`id: ${String(id)}\n${EVENT}`);
    await stream.taken();
  }
  stream.end();
  stream.send('data: after the end\n\n');
  const ids = [...(await read).matchAll(/id: (\d+)/g)].map(([, id]) => Number(id));
  expect(ids).toEqual(Array.from({ length: 100 }, (_, id) => id));
});
