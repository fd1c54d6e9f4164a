import { changedKindIn, runEventsIn } from './streamed.js';

const actor = { kind: 'person', id: '1', display_name: 'Sam', credential_id: null, on_behalf_of: null };
const event = { seq: 1, type: 'run.paused', actor, data: { note: 'a' }, at: '2026-01-05T09:00:00.000Z' };

describe('the data of a stream', () => {
  it('have the kind of a changed record', () => {
    expect(changedKindIn('{"type":"halt","id":"1","event":"set"}')).toBe('halt');
    expect(['{', 'null', '[]', '{"id":"1"}', '{"type":1}'].map(changedKindIn)).toEqual([null, null, null, null, null]);
  });

  it('have the events of a run, and an error for unreadable data', () => {
    const text = JSON.stringify(event);
    expect(runEventsIn([text, text])).toEqual({ events: [event, event], error: null });
    const { events, error } = runEventsIn(['null', text]);
    expect([events, error?.code]).toEqual([[event], 'web.event_unknown']);
  });
});
