import { changedKindIn, runEventsIn } from './streamed.js';

const actor = { kind: 'person', id: '1', display_name: 'Sam', credential_id: null, on_behalf_of: null };
const event = { seq: 1, type: 'run.paused', actor, data: { note: 'a' }, at: '2026-01-05T09:00:00.000Z' };

describe('the data of a stream', () => {
  it('have the kind of a changed record', () => {
    expect(changedKindIn('{"type":"halt","id":"1","event":"set"}')).toBe('halt');
    expect(['{', 'null', '[]', '{"id":"1"}', '{"type":1}'].map(changedKindIn)).toEqual([null, null, null, null, null]);
  });

  it('have the event of a run', () => {
    const ofAgent = { ...event, actor: { ...actor, kind: 'agent', credential_id: '2', on_behalf_of: '3' } };
    const events = [event, ofAgent];
    expect(runEventsIn(events.map((each) => JSON.stringify(each)))).toEqual({ events, error: null });
  });

  it.each<[string, object | null]>([
    ['nothing', null],
    ['no number', { ...event, seq: '1' }],
    ['no type', { ...event, type: undefined }],
    ['no data', { ...event, data: 'a' }],
    ['no time', { ...event, at: 1 }],
    ['no actor', { ...event, actor: null }],
    ['an actor of another kind', { ...event, actor: { ...actor, kind: 'tool' } }],
    ['an actor without a name', { ...event, actor: { ...actor, display_name: null } }],
    ['an actor with a credential that is no text', { ...event, actor: { ...actor, credential_id: 1 } }],
  ])('are an error to show beside the events of a run with %s', (_what, document) => {
    const { events, error } = runEventsIn([document, event].map((each) => JSON.stringify(each)));
    expect([events, error?.code]).toEqual([[event], 'web.event_unknown']);
  });
});
