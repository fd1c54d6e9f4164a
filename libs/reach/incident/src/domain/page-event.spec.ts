import { newId, type RunId } from '#lib/kernel';
import { sampleOpen } from '../application/fake-incident.js';
import { pageEvent, pageOutcome, unreachable } from './page-event.js';

const FACTS = {
  environment: 'production',
  invoker: 'Ada',
  runId: newId<RunId>(),
  url: 'https://countersign.example/1',
};

describe('an event for PagerDuty', () => {
  it('has the incident as its key, and all else only in the trigger', () => {
    const incident = sampleOpen();
    expect(pageEvent(incident, 'resolve', FACTS)).toEqual({ event_action: 'resolve', dedup_key: incident.id });
    expect(pageEvent(incident, 'trigger', FACTS)).toMatchObject({
      dedup_key: incident.id,
      payload: { severity: 'critical', custom_details: { run_id: FACTS.runId, plan_id: incident.planId } },
      links: [{ href: FACTS.url }],
    });
  });

  it('has a summary of 1,024 characters at most', () => {
    const { payload } = pageEvent(sampleOpen(), 'trigger', { ...FACTS, invoker: 'a'.repeat(2_000) });
    expect(payload).toHaveProperty('summary.length', 1_024);
  });

  const answered = (status: number, attempt: number, retryAfterSeconds: number | null = null) =>
    pageOutcome({ status, retryAfterSeconds, body: 'x'.repeat(600) }, attempt);

  it.each([
    [202, { kind: 'sent' }],
    [200, { kind: 'failed' }],
    [400, { kind: 'failed' }],
    [429, { kind: 'later' }],
    [499, { kind: 'failed' }],
    [500, { kind: 'later' }],
  ])('with the answer %i is %j', (status, outcome) => {
    expect(answered(status, 1)).toMatchObject(outcome);
  });

  it('is tried again with pauses that double, ten minutes at most, 20 times in all', () => {
    const delays = [1, 2, 9, 10, 19].map((attempt) => answered(500, attempt));
    expect(delays).toMatchObject([2_000, 4_000, 512_000, 600_000, 600_000].map((delayMs) => ({ delayMs })));
    expect(answered(500, 20)).toMatchObject({ kind: 'failed' });
    expect(unreachable('reset', 19)).toEqual({ kind: 'later', error: 'reset', delayMs: 600_000 });
    expect(unreachable('reset', 20)).toEqual({ kind: 'failed', error: 'reset' });
  });

  it('waits as long as PagerDuty asks, ten minutes at most, and never less than its own pause', () => {
    const delays = [answered(429, 1, 30), answered(429, 1, 10_000), answered(429, 5, 1)];
    expect(delays).toMatchObject([30_000, 600_000, 32_000].map((delayMs) => ({ delayMs })));
  });

  it('keeps 500 characters of an answer', () => {
    expect(answered(400, 1)).toEqual({ kind: 'failed', error: `PagerDuty answered 400: ${'x'.repeat(500)}` });
  });
});
