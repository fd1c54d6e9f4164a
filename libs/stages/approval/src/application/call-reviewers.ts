import { standingsIn } from '#lib/identity';
import type { PersonId, Tx } from '#lib/kernel';
import { excludedFromCall, withEnrollers, withSameEnroller, type CallAuthorship } from '../domain/excluded-people.js';
import type { People } from './approval.ports.js';

/** Knows the people who can never answer a call, also if no person is asked about it. */
export class CallReviewers {
  constructor(private readonly people: Pick<People, 'waysIn'>) {}

  /**
   * Whether the person has a part in the call, or shares one vote with somebody who has (T03, T39).
   *
   * @param now the database's clock, epoch milliseconds.
   */
  async excludes(tx: Tx, call: CallAuthorship, personId: PersonId, now: number): Promise<boolean> {
    const excluded = excludedFromCall(call);
    const involved = [...new Set([...excluded.map((one) => one.personId), personId])];
    const votes = standingsIn(involved, await this.people.waysIn(tx, involved), now);
    const everybody = withSameEnroller(withEnrollers(excluded, votes), [personId], votes);
    return everybody.some((one) => one.personId === personId);
  }
}
