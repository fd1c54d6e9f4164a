import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { forwardUpgrade } from './forward-upgrade.js';
import type { Passage } from './passage.js';

it('refuses a request for a WebSocket that cannot be sent on, and throws nothing', () => {
  const request = { url: '/v1/sessions/ /ws', headers: { upgrade: 'websocket' } } as IncomingMessage;
  const passage = {
    ...{ cell: { name: 'one', url: 'http://127.0.0.1:9', isDefault: true }, headers: {} },
    over: new AbortController().signal,
  } as Passage;
  const refused: string[] = [];
  forwardUpgrade(request, { socket: new PassThrough(), head: Buffer.alloc(0) }, passage, ({ code }) =>
    refused.push(code),
  );
  expect(refused).toEqual(['router.wrong_target']);
});
