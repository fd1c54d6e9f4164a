import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { MAX_RESULT_VALUES } from '#lib/canonical';
import { screenMessages } from './screen-messages.js';

/** @returns the messages that passed, and the problems of the others. */
function screened(...messages: readonly object[]): { readonly passed: readonly unknown[]; readonly refused: string[] } {
  const transport: Transport = {
    start: () => Promise.resolve(),
    send: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
  const passed: unknown[] = [];
  const refused: string[] = [];
  screenMessages(transport, ({ message }) => refused.push(message));
  // The SDK has a listener for its first question, and then another one.
  transport.onmessage = () => undefined;
  transport.onmessage = (message) => passed.push(message);
  for (const message of messages) transport.onmessage({ jsonrpc: '2.0', ...message } as JSONRPCMessage);
  return { passed, refused };
}
const result = (members: object) => ({ id: 1, result: members });
const many = (count: number, each: unknown = {}): unknown[] => Array.from({ length: count }, () => each);
const deep = (levels: number): object => many(levels).reduce<object>((inner) => [inner], []);

it.each<[string, object]>([
  ['a list of 200 tools', result({ tools: many(200, { name: 'act', inputSchema: { type: 'object' } }) })],
  ['1,000 blocks of content', result({ content: many(1_000, { type: 'text', text: '' }) })],
  ['structured content that can be recorded', result({ structuredContent: { rows: many(MAX_RESULT_VALUES - 2, 1) } })],
  ['an error', { id: 1, error: { code: -32603, message: 'no' } }],
  ['a notification', { method: 'notifications/tools/list_changed' }],
])('passes %s on', (_what, message) => {
  expect(screened(message)).toEqual({ passed: [{ jsonrpc: '2.0', ...message }], refused: [] });
});

it.each<[string, object, string]>([
  ['201 tools', result({ tools: many(201) }), 'The server lists more than 200 tools.'],
  ['1,001 blocks', result({ content: many(1_001) }), 'a result of more than 1000 blocks of content'],
  [
    'a vast schema',
    result({ tools: [{ inputSchema: { required: many(20_000, 1) } }] }),
    'a message of more than 20000 values',
  ],
  [
    'vast annotations',
    result({ content: [{ annotations: { audience: many(20_000, 1) } }] }),
    'a message of more than 20000 values',
  ],
  [
    'vast structured content',
    result({ content: [], structuredContent: { rows: many(MAX_RESULT_VALUES - 1, 1) } }),
    'structured content of more than 20000 values',
  ],
  ['a vast answer of another kind', result({ versions: many(20_000, 1) }), 'a message of more than 20000 values'],
  ['a vast error', { id: 1, error: { code: 1, data: many(20_000) } }, 'a message of more than 20000 values'],
  ['a deep answer', result({ tools: [deep(100_000)] }), 'a message of more than 20000 values'],
])('drops a message with %s, and says why', (_what, message, problem) => {
  const next = result({ content: [] });
  expect(screened(message, next)).toEqual({ passed: [{ jsonrpc: '2.0', ...next }], refused: [problem] });
});
