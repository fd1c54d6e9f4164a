import type { Decision } from '#lib/formats';
import { frozenUntil, heldByFreeze, heldUntil } from './held-by-freeze.js';

const SHORT = '2026-01-16T00:00:00Z';
const LONG = '2026-01-18T00:00:00Z';

const until = (end: string) => ({
  code: 'freeze.active',
  message: 'A freeze is in force',
  rule: 'countersign.freeze',
  details: { until: end },
});
const refused = (...reasons: Decision['reasons']): Pick<Decision, 'outcome' | 'reasons'> => ({
  outcome: 'deny',
  reasons,
});
const halted = { code: 'halt.active', message: 'Halted', rule: 'countersign.halt' };

describe('a start that a freeze holds', () => {
  it('ends with the last freeze that policy names', () => {
    expect(frozenUntil(refused(until(SHORT)))).toBe(Date.parse(SHORT));
    expect(frozenUntil(refused(until(LONG), until(SHORT)))).toBe(Date.parse(LONG));
  });

  it('has no end if anything else stands against it, or nothing does', () => {
    expect(frozenUntil(refused(until(SHORT), halted))).toBeNull();
    expect(frozenUntil(refused(halted))).toBeNull();
    expect(frozenUntil(refused({ ...halted, details: { until: SHORT } }))).toBeNull();
    expect(frozenUntil(refused())).toBeNull();
    expect(frozenUntil({ outcome: 'allow', reasons: [until(SHORT)] })).toBeNull();
  });

  it('has no end that only the message names', () => {
    const { details: _end, ...told } = { ...until(SHORT), message: `A freeze is in force until ${SHORT}` };
    expect(frozenUntil(refused(told))).toBeNull();
    expect(frozenUntil(refused(until(LONG), told))).toBeNull();
  });

  it('is refused with the reasons, and with an end that can be read again', () => {
    const refusal = heldByFreeze(refused(until(SHORT), until(LONG)));
    expect(refusal).toMatchObject({
      code: 'freeze.active',
      message: 'Nothing starts now: A freeze is in force; A freeze is in force.',
      reasons: [until(SHORT), until(LONG)],
      details: { until: new Date(LONG).toISOString() },
    });
    expect(refusal && heldUntil(refusal)).toBe(Date.parse(LONG));
    expect(heldByFreeze(refused(halted))).toBeNull();
  });

  it('reads no end from another refusal', () => {
    const refusal = { kind: 'conflict', message: 'm', action: 'a' } as const;
    expect(heldUntil({ ...refusal, code: 'halt.active', details: { until: '2026-01-16T00:00:00.000Z' } })).toBeNull();
    expect(heldUntil({ ...refusal, code: 'freeze.active' })).toBeNull();
    expect(heldUntil({ ...refusal, code: 'freeze.active', details: { until: 1 } })).toBeNull();
  });
});
