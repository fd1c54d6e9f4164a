import fc from 'fast-check';
import { routingHintOf } from '#lib/formats';
import { newId, type TenantId } from '#lib/kernel';
import { prefixOfToken, spellToken, TOKEN_BYTES, tokenKindOf, type TokenKind } from './token.js';

const tenantId = newId<TenantId>();
const bytes = fc.uint8Array({ minLength: TOKEN_BYTES, maxLength: TOKEN_BYTES });
const kinds = fc.constantFrom<TokenKind>('person', 'agent', 'delegation', 'enrolment', 'bootstrap');

describe('token', () => {
  it('is recognised with any bits', () => {
    fc.assert(
      fc.property(kinds, bytes, (kind, random) => {
        const token = spellToken(kind, random, tenantId);
        expect(token).toMatch(/^cs_[padeb]_[A-Za-z0-9_-]{59}$/);
        expect(tokenKindOf(token)).toBe(kind);
      }),
    );
  });

  it('carries the routing hint of its tenant', () => {
    const token = spellToken('agent', new Uint8Array(TOKEN_BYTES), tenantId);
    expect(token.slice(48, 58)).toBe(routingHintOf(tenantId));
  });

  it('is recognised without a hint if it founds a tenant', () => {
    const token = spellToken('bootstrap', new Uint8Array(TOKEN_BYTES), null);
    expect(token).toHaveLength(54);
    expect(tokenKindOf(token)).toBe('bootstrap');
  });

  it('is not recognised when one character differs', () => {
    fc.assert(
      fc.property(bytes, fc.integer({ min: 5, max: 63 }), (random, at) => {
        const token = spellToken('person', random, tenantId);
        const other = token[at] === 'A' ? 'B' : 'A';
        expect(tokenKindOf(token.slice(0, at) + other + token.slice(at + 1))).toBeNull();
      }),
    );
  });

  it('does not pass for another kind', () => {
    const token = spellToken('agent', new Uint8Array(TOKEN_BYTES), tenantId);
    expect(tokenKindOf(token.replace('cs_a_', 'cs_p_'))).toBeNull();
  });

  it('is recognised by a short prefix', () => {
    const token = spellToken('person', new Uint8Array(TOKEN_BYTES).fill(7), tenantId);
    expect(prefixOfToken(token)).toBe(token.slice(0, 11));
  });
});
