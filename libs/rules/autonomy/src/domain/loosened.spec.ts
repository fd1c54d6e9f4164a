import type { AutonomyDocument } from '#lib/formats';
import { cellsInWords, loosenedBeyondCells } from './loosened.js';

const document = (
  rules: Partial<AutonomyDocument['autonomy']>,
  override?: AutonomyDocument['emergency_override'],
): AutonomyDocument => ({
  autonomy: { mode: 'plan_only', ...rules },
  ...(override === undefined ? {} : { emergency_override: override }),
});
const glass = (enabled: boolean, ...roles: string[]) => ({ enabled, allowed_roles: roles, notifies: ['ops'] });

describe('the loosening of a document beyond the cells', () => {
  it.each<[string, AutonomyDocument | null, AutonomyDocument, string[]]>([
    ['break-glass on', document({}), document({}, glass(true, 'SRELead')), ['break-glass is switched on, for SRELead']],
    ['on from the first', null, document({}, glass(true)), ['break-glass is switched on, for nobody yet']],
    ['off', document({}, glass(true, 'SRELead')), document({}, glass(false, 'SRELead')), []],
    ['more roles while off', document({}, glass(false)), document({}, glass(false, 'SRELead')), []],
    ['more roles', document({}, glass(true, 'A')), document({}, glass(true, 'A', 'B')), ['B may break the glass']],
    ['fewer roles', document({}, glass(true, 'A', 'B')), document({}, glass(true, 'A')), []],
    [
      'a destination removed',
      document({}, glass(true, 'A')),
      document({}, { enabled: true, allowed_roles: ['A'] }),
      ['ops is no longer notified of break-glass'],
    ],
    [
      'a tenant-wide limit raised under an environment',
      document({ max_batch_percent: 10, environments: { production: {} } }),
      document({ max_batch_percent: 20, environments: { production: {} } }),
      ['production, the largest batch in percent: 10 becomes 20'],
    ],
    [
      'an environment that overrides it',
      document({ max_batch_percent: 10, environments: { production: {} } }),
      document({ max_batch_percent: 10, environments: { production: { max_batch_percent: 50 } } }),
      ['production, the largest batch in percent: 10 becomes 50'],
    ],
    [
      'a limit left out',
      document({ environments: { production: { simulation_valid_minutes: 5 } } }),
      document({ environments: { production: {} } }),
      ['production, the minutes a simulation is good for: 5 becomes 1440'],
    ],
    [
      'a tool’s limit',
      document({ tool_overrides: { reboot: { max_batch_percent: 1 } } }),
      document({}),
      ['reboot, the largest batch in percent: 1 becomes 100'],
    ],
    ['a budget of an hour left out that was larger', document({ calls_per_hour: 5_000 }), document({}), []],
    [
      'more open sessions',
      document({ sessions_per_agent: 19 }),
      document({}),
      ['the open sessions of an agent: 19 becomes 20'],
    ],
    [
      'a budget of an hour raised',
      document({ calls_per_hour: 10 }),
      document({ calls_per_hour: 20 }),
      ['the calls of an agent in an hour: 10 becomes 20'],
    ],
    [
      'budgets left out',
      document({ calls_per_hour: 10, calls_per_session: 600, calls_per_turn: 2, approval_seconds: 60 }),
      document({}),
      [
        'the calls of a session: 600 becomes 500, and more by a person',
        'the calls of an agent in an hour: 10 becomes 1000',
        'the calls of a turn outside sessions, and at once: 2 becomes 8',
        'the seconds that a call outside sessions waits for people: 60 becomes 120',
      ],
    ],
    [
      'a budget above the default of tokens',
      document({}),
      document({ calls_per_session: 501 }),
      ['the calls of a session: 500, and more by a person becomes 501'],
    ],
    ['budgets set', document({}), document({ calls_per_hour: 10, calls_per_session: 500 }), []],
    [
      'a limit lowered',
      document({ environments: { production: { max_batch_percent: 50 } } }),
      document({ environments: { production: { max_batch_percent: 5 } } }),
      [],
    ],
  ])('%s', (_what, before, after, loosened) => {
    expect(loosenedBeyondCells(before, after)).toEqual(loosened);
  });
});

it('cells that change alike are named in one line', () => {
  const cell = (tool: string, environment = 'production') => ({
    tool,
    environment,
    what: ['second factor: required becomes not required'],
  });
  const many = Array.from({ length: 7 }, (_, index) => cell(`tool_${String(index)}`));
  expect(cellsInWords([...many, cell('other', 'staging')])).toEqual([
    'production, tool_0, tool_1, tool_2, tool_3, tool_4 and 2 more tools: second factor: required becomes not required',
    'staging, other: second factor: required becomes not required',
  ]);
});
