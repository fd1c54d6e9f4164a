import type { PersonId } from '#lib/kernel';
import type { RecordedKnownBy } from './seats.js';

/** How a person is known, in words for people. */
export function knownByWords(
  { basis, by, hand, issuer, counts }: RecordedKnownBy,
  nameOf: (id: PersonId) => string,
): string {
  const person = by === null ? 'somebody' : nameOf(by);
  switch (basis) {
    case 'founder':
      return 'founded this tenant';
    case 'operator':
      return 'was let in by the operator, with a link that no admin saw';
    case 'mailed_invitation':
      return counts
        ? `came in by an invitation from ${person} that the server mailed`
        : `came in by an invitation from ${person} that the server mailed to a mailbox of somebody else here`;
    case 'vouched':
      return `${person} vouched for them`;
    case 'token':
      return `came in by a token that ${person} made`;
    case 'issuer':
      if (counts) return `signed in at ${issuer ?? 'an issuer'}`;
      return hand === null
        ? `signed in at ${issuer ?? 'an issuer'}, which is out of service`
        : `known by ${issuer ?? 'an issuer'}, set up by ${nameOf(hand)} alone`;
  }
}
