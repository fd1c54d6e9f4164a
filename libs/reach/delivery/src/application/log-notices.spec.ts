import { fakeClockedWorld } from '../../../../foundation/kernel/src/fake-clock.js';
import { LogNotices } from './log-notices.js';

const { uow, home } = fakeClockedWorld();
const asked: (readonly string[])[] = [];
const notices = new LogNotices(
  {
    holders: (_tx, roles) => {
      asked.push(roles);
      return Promise.resolve([home.owner.personId]);
    },
  },
  'https://countersign.example',
);
const noticeOf = (follower: string) =>
  uow.run(home.tenantId, (tx) => notices.read(tx, { follower, at: '2026-01-01T00:00:00.000Z' }));

describe('the notice of a follower of the log that keeps failing', () => {
  it.each([
    ['webhook', 'Webhooks get no new events', /log of the worker/],
    ['ocsf_file', 'The export to the SIEM file is stopped', /operator/],
    ['siem_collector', 'The SIEM collector takes no events', /settings show the error, under SIEM/],
    ['automation', 'Events start no automations', /log of the worker/],
  ])('of %s tells every PlatformAdmin where its error is', async (follower, title, help) => {
    const notice = await noticeOf(follower);
    expect(notice).toMatchObject({ title, people: [home.owner.personId], always: true });
    expect(notice?.lines[0]).toContain('No event is lost');
    expect(notice?.lines[1]).toMatch(help);
    expect(asked.at(-1)).toEqual(['PlatformAdmin']);
  });

  it('is none for a follower of a newer version', async () => {
    expect(await noticeOf('unknown')).toBeNull();
  });
});
