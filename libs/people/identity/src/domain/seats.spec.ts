import type { PersonId } from '#lib/kernel';
import { handsOf, isKnown, sharedSeats, shareSeat, type KnownBy } from './seats.js';

const [ada, noor, sam, lea, bob] = ['ada', 'noor', 'sam', 'lea', 'bob'] as PersonId[] as [
  PersonId,
  PersonId,
  PersonId,
  PersonId,
  PersonId,
];

const token = (by: PersonId, at: number): KnownBy => ({
  basis: 'token',
  by,
  hand: by,
  issuer: null,
  at,
  since: at,
  handAt: at,
  counts: false,
});
const shows = (basis: KnownBy['basis'], at: number, since = at): KnownBy => ({
  basis,
  by: basis === 'vouched' ? noor : null,
  hand: since === at ? null : ada,
  issuer: basis === 'issuer' ? 'https://id.example' : null,
  at,
  since,
  handAt: at,
  counts: true,
});
const aloneIssuer = (by: PersonId, at: number): KnownBy => ({
  basis: 'issuer',
  by,
  hand: by,
  issuer: 'https://id.example',
  at,
  since: at,
  handAt: at,
  counts: false,
});

describe('the hands that let a person in', () => {
  it.each<[string, KnownBy[], PersonId[], boolean]>([
    ['who founded the tenant', [shows('founder', 1)], [], true],
    ['with a token', [token(ada, 1)], [ada], false],
    ['with tokens of two', [token(ada, 1), token(noor, 2)], [ada, noor], false],
    ['with a token, then at an issuer', [token(ada, 1), shows('issuer', 2)], [], true],
    ['with a token, then vouched for', [token(ada, 1), shows('vouched', 2)], [], true],
    [
      'with a token, vouched for, and with a token again',
      [token(ada, 1), shows('vouched', 2), token(bob, 3)],
      [bob],
      false,
    ],
    ['let in by the operator, then with a token', [shows('operator', 1), token(ada, 2)], [ada], false],
    ['with a token, then let in by the operator', [token(ada, 1), shows('operator', 2)], [], true],
    ['at an issuer that one set up alone', [aloneIssuer(ada, 1)], [ada], false],
    ['at a good issuer, then at one that one set up alone', [shows('issuer', 1), aloneIssuer(ada, 2)], [ada], false],
    [
      'at one that one set up alone, then let in by the operator',
      [aloneIssuer(ada, 1), shows('operator', 2)],
      [ada],
      false,
    ],
    ['at one that one set up alone, then at a good issuer', [aloneIssuer(ada, 1), shows('issuer', 2)], [ada], false],
    [
      'at one that was taken out of service, then let in by the operator',
      [{ ...aloneIssuer(ada, 1), by: null }, shows('operator', 2)],
      [],
      true,
    ],
    ['with a token at the very moment of what shows it', [shows('mailed_invitation', 1), token(ada, 1)], [ada], false],
    ['never', [], [], false],
  ])('%s', (_how, knownBy, hands, known) => {
    expect(handsOf(knownBy)).toEqual(hands);
    expect(isKnown(knownBy)).toBe(known);
  });

  it('ignores a later proof at an earlier moment, and counts a later loss', () => {
    const late = [token(ada, 1), shows('vouched', 5)];
    expect(handsOf(late, 5)).toEqual([ada]);
    expect(handsOf(late, 6)).toEqual([]);
    // An issuer that was confirmed afterwards counts from the confirmation on.
    expect(handsOf([shows('issuer', 2, 5)], 5)).toEqual([ada]);
    expect(handsOf([shows('issuer', 2, 5)], 6)).toEqual([]);
    expect(handsOf([shows('operator', 1), token(ada, 9)], 5)).toEqual([ada]);
  });
});

describe('who shares one vote', () => {
  const seats = (known: [PersonId, KnownBy[]][]) => {
    const all = new Map(known);
    const shared = sharedSeats([ada, noor, sam, lea, bob], all);
    const seated = (personId: PersonId) => ({ personId, sharedWith: shared.get(personId) ?? [] });
    return (one: PersonId, other: PersonId): boolean => shareSeat(seated(one), seated(other));
  };

  it('a hand with those it let in, and these with each other, in any order', () => {
    const together = seats([
      [ada, [shows('founder', 1)]],
      [sam, [token(ada, 2)]],
      [lea, [token(ada, 3)]],
    ]);
    for (const [one, other] of [
      [ada, sam],
      [sam, ada],
      [sam, lea],
      [lea, sam],
    ] as const)
      expect(together(one, other)).toBe(true);
    expect(together(sam, noor)).toBe(false);
  });

  it('also over others, up to somebody who was known when they let the next one in', () => {
    const chain = (at: number): [PersonId, KnownBy[]][] => [
      [sam, [token(ada, 2), shows('issuer', 4)]],
      [bob, [token(sam, at)]],
      [lea, [token(ada, 3)]],
    ];
    expect(seats(chain(5))(bob, lea)).toBe(false);
    expect(seats(chain(5))(bob, sam)).toBe(true);
    // Ada could be Sam then, and make the link. It stays her hand if Sam becomes known later, and at any use by Bob.
    expect(seats(chain(3))(bob, lea)).toBe(true);
    expect(seats(chain(3))(bob, sam)).toBe(true);
    expect(seats(chain(3))(sam, lea)).toBe(false);
    const kept = { ...token(sam, 9), handAt: 3 };
    expect(seats([...chain(5), [bob, [kept]]])(bob, ada)).toBe(true);
    expect(seats([...chain(5), [bob, [kept, shows('vouched', 10)]]])(bob, ada)).toBe(false);
  });

  it('also over a person that a hand let in in their own name, and that let the hand in again', () => {
    const known: [PersonId, KnownBy[]][] = [
      [sam, [token(ada, 2), shows('issuer', 4), token(bob, 6)]],
      [bob, [token(sam, 3)]],
    ];
    expect(seats(known)(sam, ada)).toBe(true);
  });

  it('of two ways to one hand, by the one from before it was known', () => {
    const ways: [PersonId, KnownBy[]][] = [
      [sam, [token(ada, 2), shows('issuer', 4)]],
      [lea, [token(sam, 3)]],
      [bob, [token(sam, 5), token(lea, 6)]],
    ];
    expect(seats(ways)(bob, ada)).toBe(true);
    const turned: [PersonId, KnownBy[]][] = [...ways.slice(0, 2), [bob, [token(lea, 6), token(sam, 5)]]];
    expect(seats(turned)(bob, ada)).toBe(true);
  });

  it('hands that let each other in, without end', () => {
    const together = seats([
      [ada, [token(noor, 2)]],
      [noor, [token(ada, 1)]],
      [sam, [token(ada, 3)]],
    ]);
    expect(together(ada, noor)).toBe(true);
    expect(together(sam, noor)).toBe(true);
  });
});
