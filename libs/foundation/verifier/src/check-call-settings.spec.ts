import { checkSession } from './check-session.js';
import { failureOf, packOf } from './fake-pack.js';
import {
  allowed,
  approved,
  asked,
  changedSettings,
  checked,
  inputOf,
  judged,
  nowCautious,
  opened,
  openedSession,
  review,
} from './fake-session-events.js';

const settings = { level: 'SUPERVISED', mode: 'ask-on-write' };
const under = (session: { readonly preset: string | null; readonly level: string; readonly mode: string } | null) =>
  judged(allowed('call-0'), 'allow', 'autonomy.executes', inputOf({ session }));

describe('the settings that a call was judged under', () => {
  it('are those of its session then', () => {
    expect(checked([allowed('call-0')])).toContain('1 call decided');
    expect(checked([nowCautious, under({ ...settings, preset: 'cautious' })])).toContain('1 call decided');
    expect(checked([changedSettings, allowed('call-0')])).toContain('1 call decided');
  });

  it('stay for an answer that comes after a change', () => {
    expect(checked([opened, asked, nowCautious, review('ada'), approved])).toContain('1 approved');
  });

  it.each([
    ['another preset', [under({ ...settings, preset: 'cautious' })]],
    ['another level', [under({ ...settings, preset: null, level: 'FULL_AUTO' })]],
    ['another mode', [under({ ...settings, preset: null, mode: 'always-ask' })]],
    ['no session', [under(null)]],
    ['the settings before a change', [nowCautious, allowed('call-0')]],
    ['the settings after a later change', [under({ ...settings, preset: 'cautious' }), nowCautious]],
  ])('are refused with story.call_settings if they are %s', (_what, events) => {
    expect(checked(events)).toBe('story.call_settings');
  });

  it('are refused with story.call_settings if the session was not opened', () => {
    const pack = packOf([allowed('call-0')], { subject: { type: 'session', id: 'session-1' } });
    expect(failureOf((refuse) => checkSession(pack, refuse))?.code).toBe('story.call_settings');
  });

  it('are not compared for lack of the payload that tells them', () => {
    expect(checked([{ ...nowCautious, erased: true }, allowed('call-0')])).toContain('1 call decided');
    expect(checked([{ ...openedSession, erased: true }, under({ ...settings, preset: 'tiers' })])).toContain('1 call');
  });
});
