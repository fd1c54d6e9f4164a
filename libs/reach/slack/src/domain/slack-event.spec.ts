import { challengeOf, plainText, readEvent } from './slack-event.js';

const event = (more: object = {}, envelope: object = {}): object => ({
  type: 'event_callback',
  api_app_id: 'A1',
  team_id: 'T1',
  event_id: 'Ev1',
  ...envelope,
  event: { type: 'message', user: 'U1', channel: 'C1', ts: '2.000', thread_ts: '1.000', text: 'Why?', ...more },
});

describe('an event of Slack', () => {
  it('is a reply when a person wrote it in a thread', () => {
    expect(readEvent(event())).toEqual({
      app: 'A1',
      team: 'T1',
      id: 'Ev1',
      reply: { user: 'U1', userTeam: 'T1', channel: 'C1', threadTs: '1.000', text: 'Why?' },
    });
  });

  it.each([
    ['its own workspace', { team: 'T1', user_team: 'T1' }, 'T1'],
    ['its organisation', { user_team: 'E1' }, 'T1'],
    ['another workspace', { team: 'T2' }, 'T2'],
    ['another organisation', { team: 'T1', user_team: 'E2' }, 'E2'],
  ])('T13: is of a user of that workspace alone if Slack names %s', (_what, more, userTeam) => {
    const authorizations = [{ team_id: 'T1', enterprise_id: 'E1' }];
    expect(readEvent(event(more, { authorizations }))).toMatchObject({ team: 'T1', reply: { userTeam } });
  });

  it.each([
    ['a bot wrote it', { bot_id: 'B1' }],
    ['it tells of an edit', { subtype: 'message_changed' }],
    ['it stands in no thread', { thread_ts: undefined }],
    ['it began the thread', { thread_ts: '2.000' }],
    ['it is no message', { type: 'reaction_added' }],
  ])('is no reply when %s', (_why, more) => {
    expect(readEvent(event(more))).toMatchObject({ id: 'Ev1', reply: null });
  });

  it('is nothing without app, workspace and id', () => {
    for (const missing of ['api_app_id', 'team_id', 'event_id']) {
      expect(readEvent(event({}, { [missing]: undefined }))).toBeNull();
    }
    expect(readEvent(null)).toBeNull();
  });

  it('is a challenge when Slack checks the address, and nothing that could be markup', () => {
    expect(challengeOf({ type: 'url_verification', challenge: '3eZ.b-r' })).toBe('3eZ.b-r');
    expect(challengeOf({ type: 'url_verification', challenge: '<b>' })).toBeNull();
    expect(challengeOf({ type: 'event_callback', challenge: 'a' })).toBeNull();
  });

  it.each([
    ['a &lt;b&gt; &amp;amp; c', 'a <b> &amp; c'],
    ['<https://a.example|here> and <https://b.example>', 'here (https://a.example) and https://b.example'],
    ['<@U1> look', '@U1 look'],
    ['no\0 half \ud800', 'no half \ufffd'],
  ])('reads %s as people do', (text, shown) => {
    expect(plainText(text)).toBe(shown);
  });
});
