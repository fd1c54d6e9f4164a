import { answeredTry, deliveryOutcome, unansweredTry } from './delivery-outcome.js';

const MINUTE = 60_000;

describe('the outcome of an attempt', () => {
  it.each([200, 201, 204, 299])('is delivered by %d', (status) => {
    expect(deliveryOutcome(status, 1)).toEqual({ kind: 'delivered' });
  });

  it.each([[199], [300], [301], [400], [401], [404], [429], [500], [null]])('is tried again after %p', (status) => {
    expect(deliveryOutcome(status, 1)).toEqual({ kind: 'later', delayMs: 5_000 });
  });

  it('is gone by 410', () => {
    expect(deliveryOutcome(410, 1)).toEqual({ kind: 'gone' });
  });

  it('is tried for a day, with growing waits, and has failed then', () => {
    const waits = [1, 2, 3, 4, 5, 6, 7].map((attempt) => {
      const outcome = deliveryOutcome(null, attempt);
      return outcome.kind === 'later' ? outcome.delayMs : Number.NaN;
    });
    expect(waits.slice(0, 6)).toEqual([5_000, 5 * MINUTE, 30 * MINUTE, 120 * MINUTE, 300 * MINUTE, 600 * MINUTE]);
    const all = waits.reduce((sum, each) => sum + each, 0);
    expect(all).toBeGreaterThan(23 * 60 * MINUTE);
    expect(all).toBeLessThanOrEqual(24 * 60 * MINUTE);
    expect(deliveryOutcome(500, 8)).toEqual({ kind: 'failed' });
  });
});

it('keeps the beginning of an answer, masked', () => {
  expect(answeredTry(1, { status: 200, body: '' })).toEqual({ at: 1, status: 200, error: null, answer: null });
  const long = answeredTry(1, { status: 500, body: `password=hunter2 ${'x'.repeat(9_000)}` });
  expect(long.answer).toMatch(/^password=\[masked\] x+$/);
  expect(long.answer?.length).toBeLessThan(1_100);
  const secret = `whsec_${'k'.repeat(43)}=`;
  for (const lead of [0, 960, 980, 990]) {
    const { answer } = answeredTry(1, { status: 500, body: `${'x'.repeat(lead)} ${secret}` });
    expect(answer).not.toContain('kkk');
    expect(answer?.length).toBeLessThanOrEqual(1_000);
  }
  expect(answeredTry(1, { status: 302, body: '' }).error).toContain('Redirects are not followed');
  expect(unansweredTry(1, 'connect ECONNREFUSED')).toEqual({
    ...{ at: 1, status: null, error: 'connect ECONNREFUSED', answer: null },
  });
});

it('keeps no half of a character, and no NUL: an unwritable log would send the same delivery again and again', () => {
  const body = `\0${'x'.repeat(999)}\u{1f600}\u{1f600}`;
  expect(answeredTry(1, { status: 200, body }).answer).toBe(`${'x'.repeat(999)}\uFFFD`);
  expect(unansweredTry(1, body).error).toBe(`${'x'.repeat(999)}\uFFFD`);
});

it('T32: keeps no secret with NUL inside', () => {
  const body = `ghp_${'a'.repeat(18)}\0${'b'.repeat(18)}`;
  expect(answeredTry(1, { status: 500, body }).answer).toBe('[masked]');
});
