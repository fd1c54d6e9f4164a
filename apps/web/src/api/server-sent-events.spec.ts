import { parseEvent } from './server-sent-events.js';

it.each([
  ['id: 4\nevent: run.started\ndata: {"a":1}', { id: '4', event: 'run.started', data: '{"a":1}' }],
  ['data: one\ndata: two', { id: null, event: 'message', data: 'one\ntwo' }],
  ['data:tight', { id: null, event: 'message', data: 'tight' }],
  [': nothing new', null],
  ['retry: 1000', null],
])('%j is %j', (block, event) => {
  expect(parseEvent(block)).toEqual(event);
});
