import { runEventIn } from './run-event.js';

const actor = { kind: 'person', id: '1', display_name: 'Sam', credential_id: null, on_behalf_of: null };
const event = { seq: 1, type: 'run.paused', actor, data: { note: 'a' }, at: '2026-01-05T09:00:00.000Z' };

it.each([
  event,
  { ...event, actor: { ...actor, kind: 'agent', credential_id: '2', on_behalf_of: '3' } },
  { ...event, actor: { ...actor, kind: 'tool', model: 'm' }, more: 1 },
])('the data of a stream have the event of a run', (document) => {
  expect(runEventIn(JSON.stringify(document))).toEqual(document);
});

it.each<[string, unknown]>([
  ['nothing', null],
  ['no number', { ...event, seq: '1' }],
  ['no type', { ...event, type: undefined }],
  ['no data', { ...event, data: 'a' }],
  ['a list of data', { ...event, data: [] }],
  ['no time', { ...event, at: 1 }],
  ['no actor', { ...event, actor: null }],
  ['an actor without a kind', { ...event, actor: { ...actor, kind: null } }],
  ['an actor without a name', { ...event, actor: { ...actor, display_name: null } }],
  ['an actor with a credential that is no text', { ...event, actor: { ...actor, credential_id: 1 } }],
])('data with %s have no event of a run', (_what, document) => {
  expect(runEventIn(JSON.stringify(document))).toBeNull();
});

it('data that are no JSON have no event of a run', () => {
  expect(runEventIn(JSON.stringify(event).slice(1))).toBeNull();
});
