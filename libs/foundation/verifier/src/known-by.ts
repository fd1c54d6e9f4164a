import { isJsonList, type Json } from '#lib/canonical';
import { member } from './json-member.js';
import type { Pack } from './pack-shape.js';

/** People with the record of how they are known: `{basis, by, hand, issuer, counts}` each. */
export type KnownPeople = readonly { readonly name: string; readonly knownBy: Json }[];

/**
 * One line about how each person was known; nothing if the record does not say it.
 *
 * @param when completes "Known".
 */
export function knownLines(when: string, people: KnownPeople, pack: Pack): string[] {
  const nameOf = namesIn(pack);
  const told = people.flatMap(({ name, knownBy }) => {
    const ways = isJsonList(knownBy) ? knownBy : [];
    return ways.length === 0 ? [] : [`${name} (${ways.map((way) => inWords(way, nameOf)).join('; ')})`];
  });
  return told.length === 0 ? [] : [`Known ${when}: ${told.join(', ')}.`];
}

type NameOf = (id: Json) => string;

/** Names as the pack's entries say them; of somebody who did nothing in it there is the id alone. */
function namesIn({ entries }: Pack): NameOf {
  const names = new Map(entries.map(({ header: { actor } }) => [actor.id, actor.display_name]));
  return (id) => (typeof id === 'string' ? (names.get(id) ?? `the person ${id}`) : 'somebody');
}

function inWords(way: Json, nameOf: NameOf): string {
  const by = nameOf(member(way, 'by'));
  const counts = member(way, 'counts') === true;
  switch (member(way, 'basis')) {
    case 'founder':
      return 'founded this tenant';
    case 'operator':
      return 'let in by the operator';
    case 'mailed_invitation':
      return `came in by an invitation from ${by} that the server mailed${counts ? '' : ' to a mailbox of somebody else there'}`;
    case 'vouched':
      return `${by} vouched for them`;
    case 'token':
      return `came in by a token that ${by} made`;
    case 'issuer':
      return issuerInWords(way, counts, nameOf);
    default:
      return 'in a way that this verifier does not know';
  }
}

function issuerInWords(way: Json, counts: boolean, nameOf: NameOf): string {
  const named = member(way, 'issuer');
  const issuer = typeof named === 'string' ? named : 'an issuer';
  if (counts) return `signed in at ${issuer}`;
  const hand = member(way, 'hand');
  return hand === null
    ? `signed in at ${issuer}, which was out of service`
    : `known by ${issuer}, set up by ${nameOf(hand)} alone`;
}
