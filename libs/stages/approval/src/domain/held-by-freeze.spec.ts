import type { AutonomyDocument } from '#lib/formats';
import type { Decision } from '#lib/policy-inputs';
import { activeFreezes } from '#lib/autonomy';
import { frozenUntil, heldByFreeze, heldUntil } from './held-by-freeze.js';

const NOW = Date.UTC(2026, 0, 15, 12);
const freeze = (name: string, until: string) => ({
  name,
  from: '2026-01-15 00:00',
  until,
  time_zone: 'UTC',
});
// The freezes are all that is read of the document.
const document = {
  freezes: [
    freeze('short', '2026-01-16 00:00'),
    freeze('long', '2026-01-18 00:00'),
    freeze('other', '2026-01-20 00:00'),
  ],
} as unknown as AutonomyDocument;
const [short, long, other] = activeFreezes(document, NOW);
if (short === undefined || long === undefined || other === undefined) throw new Error('the freezes are not in force');

const until = ({ until_utc: end }: { readonly until_utc: string }) => ({
  code: 'freeze.active',
  message: `Nothing starts until ${end}`,
  rule: 'countersign.freeze',
});
const refused = (...reasons: Decision['reasons']): Pick<Decision, 'outcome' | 'reasons'> => ({
  outcome: 'deny',
  reasons,
});
const halted = { code: 'halt.active', message: `Halted until ${short.until_utc}`, rule: 'countersign.halt' };

describe('a start that a freeze holds', () => {
  it('ends with the last freeze that policy names', () => {
    expect(frozenUntil(refused(until(short)), document, NOW)).toBe(short.until);
    expect(frozenUntil(refused(until(long), until(short)), document, NOW)).toBe(long.until);
  });

  it('has no end if anything else stands against it, or nothing does', () => {
    expect(frozenUntil(refused(until(short), halted), document, NOW)).toBeNull();
    expect(frozenUntil(refused(halted), document, NOW)).toBeNull();
    expect(frozenUntil({ outcome: 'allow', reasons: [until(short)] }, document, NOW)).toBeNull();
    expect(frozenUntil(refused(until({ until_utc: 'never' })), document, NOW)).toBeNull();
    expect(frozenUntil(refused(until(short)), null, NOW)).toBeNull();
  });

  it('is refused with the reasons, and with an end that can be read again', () => {
    const refusal = heldByFreeze(refused(until(short), until(long)), document, NOW);
    expect(refusal).toMatchObject({
      code: 'freeze.active',
      message: `Nothing starts now: Nothing starts until ${short.until_utc}; Nothing starts until ${long.until_utc}.`,
      details: { until: new Date(long.until).toISOString() },
    });
    expect(refusal && heldUntil(refusal)).toBe(long.until);
    expect(heldByFreeze(refused(halted), document, NOW)).toBeNull();
  });

  it('reads no end from another refusal', () => {
    const refusal = { kind: 'conflict', message: 'm', action: 'a' } as const;
    expect(heldUntil({ ...refusal, code: 'halt.active', details: { until: '2026-01-16T00:00:00.000Z' } })).toBeNull();
    expect(heldUntil({ ...refusal, code: 'freeze.active' })).toBeNull();
    expect(heldUntil({ ...refusal, code: 'freeze.active', details: { until: 1 } })).toBeNull();
  });
});
