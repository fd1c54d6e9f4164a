import type { IncidentState } from '#lib/formats';
import { sampleIncident } from '../application/fake-incident.js';
import { destinationsOf, escalate, ESCALATE_EVERY_MS, postponeEscalation } from './escalation.js';
import type { IncidentFacts } from './incident.js';

const DUE = 1_000_000;

const incident = (over: Partial<IncidentFacts> = {}, state: IncidentState = 'resolved') =>
  sampleIncident(state, { notifies: ['security-team'], reviewDueAt: DUE, escalateAt: DUE, ...over });

describe('an overdue review', () => {
  it('is not escalated before it is due, nor once it was given', () => {
    expect(escalate(incident(), DUE - 1)).toBeNull();
    expect(escalate(incident({}, 'reviewed'), DUE + 1)).toBeNull();
  });

  it('is escalated when it is due, and again each day', () => {
    const first = escalate(incident(), DUE);
    expect(first).toMatchObject({ escalations: 1, escalatedAt: DUE, escalateAt: DUE + ESCALATE_EVERY_MS });
    expect(first === null ? null : escalate(first, DUE + ESCALATE_EVERY_MS - 1)).toBeNull();
    const second = first === null ? null : escalate(first, DUE + ESCALATE_EVERY_MS);
    expect(second).toMatchObject({ escalations: 2, escalatedAt: DUE });
  });

  it('is not put off by the person who invoked break-glass, nor by one who shares their vote', () => {
    expect(postponeEscalation(incident(), true, DUE + 5).escalateAt).toBe(DUE);
  });

  it('is left alone for a day after a person acted, and not put off by an earlier act', () => {
    const acted = postponeEscalation(incident(), false, DUE + 5);
    expect(acted.escalateAt).toBe(DUE + 5 + ESCALATE_EVERY_MS);
    expect(postponeEscalation(incident(), false, DUE - 5).escalateAt).toBe(DUE);
  });
});

describe('the destinations that hear of an incident', () => {
  const destinations = { 'security-team': ['C1'], managers: ['m@example.com'], board: ['b@example.com'] };

  it('are those that it named, at first', () => {
    expect(destinationsOf(incident(), destinations)).toEqual(['security-team']);
    expect(destinationsOf(incident({ escalations: 1 }), destinations)).toEqual(['security-team']);
  });

  it('are one more of the tenant’s with each further escalation, until there are no more', () => {
    expect(destinationsOf(incident({ escalations: 2 }), destinations)).toEqual(['security-team', 'board']);
    expect(destinationsOf(incident({ escalations: 9 }), destinations)).toEqual(['security-team', 'board', 'managers']);
  });
});
