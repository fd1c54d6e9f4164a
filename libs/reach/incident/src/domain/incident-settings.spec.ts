import { loosenedIncidentSettings, type IncidentSettings } from './incident-settings.js';

const settings = (over: Partial<IncidentSettings> = {}): IncidentSettings => ({
  destinations: { 'security-team': ['C012AB3CD', 'security@example.com'] },
  reviewDays: 5,
  pagerDuty: { secret: 'pager@1', url: 'https://events.pagerduty.com/v2/enqueue' },
  ...over,
});

const to = (over: Partial<IncidentSettings>): readonly string[] => loosenedIncidentSettings(settings(), settings(over));

describe('a change of the incident settings', () => {
  it('loosens nothing if it only adds', () => {
    expect(to({})).toEqual([]);
    const destinations = { 'security-team': ['security@example.com', 'C012AB3CD', 'C2'], managers: ['m@example.com'] };
    expect(to({ destinations, reviewDays: 2 })).toEqual([]);
    expect(loosenedIncidentSettings(settings({ pagerDuty: null }), settings())).toEqual([]);
  });

  it('loosens by each address that is no longer notified', () => {
    const gone = [
      'C012AB3CD is no longer notified of incidents, as security-team',
      'security@example.com is no longer notified of incidents, as security-team',
    ];
    expect(to({ destinations: {} })).toEqual(gone);
    expect(to({ destinations: { 'security-team': ['security@example.com', 'C2'] } })).toEqual(gone.slice(0, 1));
    expect(to({ destinations: { renamed: ['C012AB3CD', 'security@example.com'] } })).toEqual(gone);
  });

  it('loosens by a later review', () => {
    expect(to({ reviewDays: 30 })).toEqual(['a review is overdue after 30 days, not 5']);
  });

  it('loosens by PagerDuty switched off, or another one', () => {
    expect(to({ pagerDuty: null })).toEqual(['incidents are no longer sent on to PagerDuty']);
    expect(to({ pagerDuty: { secret: 'other@1', url: 'https://pager.example.com/' } })).toEqual([
      'incidents are sent on to https://pager.example.com/, and no longer to https://events.pagerduty.com/v2/enqueue',
      'PagerDuty is reached with other@1, not pager@1',
    ]);
  });
});
