import { INCIDENT_STATES, type IncidentState } from '#lib/formats';
import { newId, type PersonId } from '#lib/kernel';
import { testDatabase, type TestDatabase } from '../../../../../test/support/database.js';
import { sampleIncident } from '../application/fake-incident.js';
import { decideIncident, type IncidentAction } from '../domain/decide-incident.js';
import { INCIDENT_TRANSITIONS } from '../domain/incident-transitions.js';
import { MAX_EVENTS, type Incident } from '../domain/incident.js';

const [invoker, other] = [newId<PersonId>(), newId<PersonId>()];

const incident = (state: IncidentState): Incident => sampleIncident(state, { invokedBy: invoker });

const ACTIONS: Readonly<Record<IncidentAction['kind'], IncidentAction>> = {
  acknowledge: { kind: 'acknowledge', note: '' },
  note: { kind: 'note', text: 'seen' },
  resolve: { kind: 'resolve', postMortem: 'over' },
  review: { kind: 'review', comment: 'fine' },
};

/** Each state and each action of a person: the next state, or the code. */
const MATRIX: Readonly<Record<IncidentState, Readonly<Record<IncidentAction['kind'], string>>>> = {
  open: {
    acknowledge: 'acknowledged',
    note: 'open',
    resolve: 'incident.wrong_state',
    review: 'incident.wrong_state',
  },
  acknowledged: {
    acknowledge: 'incident.wrong_state',
    note: 'acknowledged',
    resolve: 'resolved',
    review: 'incident.wrong_state',
  },
  resolved: {
    acknowledge: 'incident.wrong_state',
    note: 'resolved',
    resolve: 'incident.wrong_state',
    review: 'reviewed',
  },
  reviewed: {
    acknowledge: 'incident.wrong_state',
    note: 'incident.wrong_state',
    resolve: 'incident.wrong_state',
    review: 'incident.wrong_state',
  },
};

const cameTo = (
  from: Incident,
  action: IncidentAction,
  by = other,
  runEnded = true,
  sharesInvokersVote = false,
): string => {
  const decided = decideIncident(from, action, { personId: by, at: 5, runEnded, sharesInvokersVote });
  return decided.ok ? decided.value.next.state : decided.error.code;
};

describe.each(INCIDENT_STATES)('an incident that is %s', (from) => {
  it.each(Object.entries(MATRIX[from]) as [IncidentAction['kind'], string][])('%s: %s', (kind, expected) => {
    expect(cameTo(incident(from), ACTIONS[kind])).toBe(expected);
  });
});

it('is resolved once its run has ended, and not before', () => {
  expect(cameTo(incident('acknowledged'), ACTIONS.resolve, other, false)).toBe('incident.run_not_ended');
});

it('is never reviewed by a person of one hand with the person who invoked break-glass', () => {
  expect(cameTo(incident('resolved'), ACTIONS.review, other, true, true)).toBe('incident.same_hand');
  expect(cameTo(incident('open'), ACTIONS.acknowledge, other, true, true)).toBe('acknowledged');
});

it('is never reviewed by the person who invoked break-glass', () => {
  expect(cameTo(incident('resolved'), ACTIONS.review, invoker)).toBe('incident.own_review');
});

it('refuses a note once its timeline is full', () => {
  const full = { ...incident('open'), eventCount: MAX_EVENTS };
  expect(cameTo(full, ACTIONS.note)).toBe('incident.timeline_full');
});

describe('the database', () => {
  let db: TestDatabase;
  beforeAll(async () => {
    db = await testDatabase();
  });
  afterAll(() => db.close());

  it('holds the transitions of the domain', async () => {
    const { rows } = await db.owner.query<{ from_state: string; event: string; to_state: string }>(
      'select from_state, event, to_state from incident_transition',
    );
    const stored = rows.map(({ from_state: from, event, to_state: to }) => [from, event, to]);
    expect(stored).toHaveLength(INCIDENT_TRANSITIONS.length);
    expect(stored).toEqual(expect.arrayContaining(INCIDENT_TRANSITIONS.map((row) => [...row])));
  });
});
