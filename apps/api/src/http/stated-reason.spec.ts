import type { FastifyRequest } from 'fastify';
import { FailureError, newId, type PersonPrincipal, type TenantId } from '#lib/kernel';
import { samplePerson } from '../../../../test/support/sample-callers.js';
import { withStatedReason } from './stated-reason.js';

const person: PersonPrincipal = { ...samplePerson(newId<TenantId>()), scopes: ['admin'], signedInAt: 1 };
const reasoned = (reason: string | string[] | undefined, principal: Parameters<typeof withStatedReason>[0] = person) =>
  withStatedReason(principal, { headers: { 'countersign-reason': reason } } as unknown as FastifyRequest);

function codeOf(reason: string | string[]): string {
  try {
    reasoned(reason);
    return 'taken';
  } catch (error) {
    if (error instanceof FailureError) return error.failure.code;
    throw error;
  }
}

describe('the reason for a change', () => {
  it('is given by a person, percent-encoded', () => {
    expect(reasoned(encodeURIComponent('  the café burns  '))).toEqual({ ...person, reason: 'the café burns' });
  });

  it('may be missing', () => {
    expect(reasoned(undefined)).toBe(person);
  });

  it('is read from people alone', () => {
    const system = { kind: 'system', tenantId: person.tenantId, name: 'worker' } as const;
    expect(reasoned('x', system)).toBe(system);
  });

  it('masks a secret', () => {
    expect(reasoned(encodeURIComponent('rotated password=hunter2hunter2'))).toMatchObject({
      reason: expect.not.stringContaining('hunter2') as string,
    });
  });

  it.each<[what: string, reason: string | string[], code: string]>([
    ['ten characters', 'x'.repeat(10), 'taken'],
    ['nine characters', 'x'.repeat(9), 'change.reason_invalid'],
    ['nine characters and blanks', `${'x'.repeat(9)}%20%20`, 'change.reason_invalid'],
    ['a thousand characters', 'x'.repeat(1_000), 'taken'],
    ['a thousand and one', 'x'.repeat(1_001), 'change.reason_invalid'],
    ['a zero byte', 'xxxxxxxxxxxx%00', 'change.reason_invalid'],
    ['an unfinished escape', 'xxxxxxxxxxxx%', 'change.reason_invalid'],
    ['the header twice', ['x'.repeat(10), 'x'.repeat(10)], 'change.reason_invalid'],
  ])('with %s is answered', (_what, reason, code) => {
    expect(codeOf(reason)).toBe(code);
  });
});
