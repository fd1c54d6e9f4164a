import fc from 'fast-check';
import { prefixOfToken, spellToken, TOKEN_BYTES, tokenKindOf, type TokenKind } from './token.js';

const bytes = fc.uint8Array({ minLength: TOKEN_BYTES, maxLength: TOKEN_BYTES });
const kinds = fc.constantFrom<TokenKind>('person', 'agent', 'delegation', 'enrolment', 'bootstrap');

describe('token', () => {
  it('is recognised with any bits', () => {
    fc.assert(
      fc.property(kinds, bytes, (kind, random) => {
        const token = spellToken(kind, random);
        expect(token).toMatch(/^cs_[padeb]_[A-Za-z0-9_-]{49}$/);
        expect(tokenKindOf(token)).toBe(kind);
      }),
    );
  });

  it('is not recognised when one character differs', () => {
    fc.assert(
      fc.property(bytes, fc.integer({ min: 5, max: 53 }), (random, at) => {
        const token = spellToken('person', random);
        const other = token[at] === 'A' ? 'B' : 'A';
        expect(tokenKindOf(token.slice(0, at) + other + token.slice(at + 1))).toBeNull();
      }),
    );
  });

  it('does not pass for another kind', () => {
    const token = spellToken('agent', new Uint8Array(TOKEN_BYTES));
    expect(tokenKindOf(token.replace('cs_a_', 'cs_p_'))).toBeNull();
  });

  it('is recognised by a short prefix', () => {
    const token = spellToken('person', new Uint8Array(TOKEN_BYTES).fill(7));
    expect(prefixOfToken(token)).toBe(token.slice(0, 11));
  });
});
