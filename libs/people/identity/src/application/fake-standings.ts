import type { PersonId, Tx } from '#lib/kernel';
import type { Standing } from '../domain/seats.js';
import type { Seats } from './identity.ports.js';

/** The standing of people: each is known and has a vote of their own, unless the test names another hand. */
export class FakeStandings implements Pick<Seats, 'standingOf'> {
  /** The people who share the vote of a person known by nothing else. */
  readonly sharedWith = new Map<PersonId, readonly PersonId[]>();

  standingOf(_tx: Tx, ids: readonly PersonId[]): Promise<ReadonlyMap<PersonId, Standing>> {
    return Promise.resolve(new Map(ids.map((id) => [id, this.#of(id)])));
  }

  #of(personId: PersonId): Standing {
    const sharedWith = this.sharedWith.get(personId);
    return { personId, knownBy: [], known: sharedWith === undefined, sharedWith: sharedWith ?? [] };
  }
}
