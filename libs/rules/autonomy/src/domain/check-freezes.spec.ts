import type { AutonomyDocument, Freeze } from '#lib/formats';
import { checkFreezes } from './check-freezes.js';
import { compareFreezesAndEscalations } from './compare-freezes-and-escalations.js';
import { readDocument } from './read-document.js';

const errorsOf = (freezes: string): unknown[] => {
  const read = readDocument(`autonomy:\n  mode: full_auto\nfreezes:\n${freezes}`);
  const errors = read.ok ? checkFreezes(read.value) : read.error;
  return errors.map(({ code, line, suggestion }) => [code, line, ...(suggestion === undefined ? [] : [suggestion])]);
};

describe("a document's freezes", () => {
  it.each([
    ['dates', '  - { name: a, time_zone: Europe/Berlin, from: 2026-12-20T18:00, until: 2027-01-04T06:00 }', []],
    [
      'windows that overlap',
      '  - { name: a, time_zone: UTC, weekly: [{ from: Friday 18:00, until: Monday 07:00 }, { from: Sunday 00:00, until: Monday 08:00 }] }',
      [],
    ],
    [
      'an unknown zone',
      '  - name: a\n    time_zone: Europe/Berlinn\n    from: 2026-12-20T18:00\n    until: 2027-01-04T06:00',
      [['autonomy.unknown_time_zone', 5, 'Europe/Berlin']],
    ],
    [
      'a city in the place of a zone',
      '  - { name: a, time_zone: new york, from: 2026-12-20T18:00, until: 2027-01-04T06:00 }',
      [['autonomy.unknown_time_zone', 4, 'America/New_York']],
    ],
    [
      'an offset in the place of a zone',
      '  - { name: a, time_zone: "+02:00", from: 2026-12-20T18:00, until: 2027-01-04T06:00 }',
      [['autonomy.unknown_time_zone', 4]],
    ],
    ['an end long ago', '  - { name: a, time_zone: UTC, from: 1960-01-01T00:00, until: 1961-01-01T00:00 }', []],
    ['no end', '  - { name: a, time_zone: UTC, from: 2026-12-20T18:00 }', [['autonomy.endless_freeze', 4]]],
    [
      'every minute of the week',
      '  - name: a\n    time_zone: UTC\n    weekly: [{ from: Monday 00:00, until: Friday 00:00 }, { from: Friday 00:00, until: Monday 00:00 }]',
      [['autonomy.endless_freeze', 6]],
    ],
    ['no times', '  - { name: a, time_zone: UTC }', [['autonomy.freeze_times', 4]]],
    [
      'an end before its beginning',
      '  - { name: a, time_zone: UTC, from: 2026-12-20T18:00, until: 2026-12-20T17:00 }',
      [['autonomy.freeze_times', 4]],
    ],
    [
      'minutes that clocks leave out',
      '  - { name: a, time_zone: Europe/Berlin, from: 2026-03-29T02:10, until: 2026-03-29T02:50 }',
      [['autonomy.freeze_times', 4]],
    ],
    [
      'a day that is none',
      '  - { name: a, time_zone: UTC, from: 2026-02-30T18:00, until: 2026-12-20T17:00 }',
      [['autonomy.freeze_times', 4]],
    ],
    [
      'one name twice',
      '  - { name: a, time_zone: UTC, from: 2026-12-20T18:00, until: 2026-12-21T17:00 }\n  - { name: a, time_zone: UTC, weekly: [{ from: Friday 18:00, until: Monday 07:00 }] }',
      [['autonomy.freeze_twice', 5]],
    ],
    [
      'a misspelt day',
      '  - { name: a, time_zone: UTC, weekly: [{ from: Fryday 18:00, until: Monday 07:00 }] }',
      [['autonomy.wrong_value', 4]],
    ],
  ])('with %s', (_what, source, expected) => {
    expect(errorsOf(source)).toEqual(expected);
  });
});

describe('a change beside the matrix', () => {
  const freeze: Freeze = {
    name: 'year-end',
    time_zone: 'UTC',
    environments: ['production'],
    from: '2026-12-20T18:00',
    until: '2027-01-04T06:00',
    may_pass: ['SRELead'],
  };
  const documentOf = (...freezes: Freeze[]): AutonomyDocument => ({ autonomy: { mode: 'full_auto' }, freezes });
  const changeOf = (after: Freeze[], before: Freeze[] = [freeze]): unknown[] =>
    compareFreezesAndEscalations(documentOf(...before), documentOf(...after)).map(({ change }) => change);

  it.each([
    ['nothing', [freeze], []],
    ['a freeze that goes', [], ['loosens']],
    ['one that comes', [freeze, { ...freeze, name: 'more' }], ['tightens']],
    ['an earlier end', [{ ...freeze, until: '2027-01-03T06:00' }], ['loosens']],
    ['a later end', [{ ...freeze, until: '2027-01-05 06:00' }], ['tightens']],
    ['every environment', [{ ...freeze, environments: undefined }], ['tightens']],
    ['another environment', [{ ...freeze, environments: ['staging'] }], ['loosens']],
    ['one tool only', [{ ...freeze, tools: ['x'] }], ['loosens']],
    ['nobody passes', [{ ...freeze, may_pass: undefined }], ['tightens']],
    ['more roles pass', [{ ...freeze, may_pass: ['SRELead', 'PlatformAdmin'] }], ['loosens']],
    ['another zone', [{ ...freeze, time_zone: 'Asia/Tokyo' }], ['loosens']],
  ] as [string, Freeze[], string[]][])('%s', (_what, after, expected) => {
    expect(changeOf(after)).toEqual(expected);
  });

  const { from: _from, until: _until, ...timeless } = freeze;
  const [weekend, night] = [
    { from: 'Friday 18:00', until: 'Monday 06:00' },
    { from: 'Monday 22:00', until: 'Tuesday 06:00' },
  ];
  it.each([
    ['a window that goes', [{ ...timeless, weekly: [weekend] }], ['loosens']],
    [
      'a window that comes',
      [{ ...timeless, weekly: [weekend, night, { ...night, from: 'Monday 12:00' }] }],
      ['tightens'],
    ],
    [
      'a window that ends earlier',
      [{ ...timeless, weekly: [weekend, { ...night, until: 'Tuesday 05:00' }] }],
      ['loosens'],
    ],
    ['one stretch of time in place of its windows', [freeze], ['loosens']],
    ['its members in another order', [{ weekly: [weekend, night], ...timeless }], []],
  ] as [string, Freeze[], string[]][])('of a weekly freeze: %s', (_what, after, expected) => {
    expect(changeOf(after, [{ ...timeless, weekly: [weekend, night] }])).toEqual(expected);
  });

  it('of one stretch of time: windows in its place', () => {
    expect(changeOf([{ ...timeless, weekly: [weekend] }])).toEqual(['loosens']);
  });
});

describe('T44: the roles that are notified of undecided requests', () => {
  const escalated = (to: string[] | null, minutes = 30): AutonomyDocument => ({
    autonomy: {
      mode: 'full_auto',
      environments: { production: to === null ? {} : { escalation: { after_minutes: minutes, to } } },
    },
  });
  const both = ['SRELead', 'PlatformAdmin'];

  it.each([
    ['the same', escalated(both), escalated(both), []],
    ['further roles', escalated(['SRELead']), escalated(both), [['loosens', 'PlatformAdmin are notified']]],
    ['a first escalation', null, escalated(['SRELead']), [['loosens', 'SRELead are notified']]],
    ['fewer roles', escalated(both), escalated(['SRELead']), [['loosens', 'PlatformAdmin are no longer notified']]],
    ['no escalation', escalated(both), escalated(null), [['loosens', 'SRELead, PlatformAdmin are no longer notified']]],
    [
      'an environment that the document no longer names',
      escalated(['SRELead']),
      { autonomy: { mode: 'full_auto' } },
      [['loosens', 'SRELead are no longer notified']],
    ],
    [
      'a later time',
      escalated(both),
      escalated(both, 90),
      [['loosens', `${both.join(', ')} are notified after 1 hour 30 minutes, not 30 minutes,`]],
    ],
    [
      'an earlier time',
      escalated(both),
      escalated(both, 10),
      [['tightens', `${both.join(', ')} are notified after 10 minutes, not 30 minutes,`]],
    ],
    [
      'another role, later',
      escalated(['SRELead']),
      escalated(['PlatformAdmin'], 60),
      [
        ['loosens', 'PlatformAdmin are notified'],
        ['loosens', 'SRELead are no longer notified'],
      ],
    ],
  ] as [string, AutonomyDocument | null, AutonomyDocument, [string, string][]][])(
    '%s',
    (_what, before, after, expected) => {
      expect(compareFreezesAndEscalations(before, after)).toEqual(
        expected.map(([change, what]) => ({ change, what: `${what} of undecided requests in production` })),
      );
    },
  );
});
