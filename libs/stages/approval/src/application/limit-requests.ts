import { err, ok, type Principal, type Result, type Tx } from '#lib/kernel';
import type { ApprovalSubject } from '../domain/approval-subject.js';
import { flooded, floodEnds, MAX_REQUESTS, type LimitedRequester } from '../domain/request-flood.js';
import type { ApprovalJournal } from './approval-journal.js';
import type { FloodRepository } from './approval.ports.js';

/**
 * An agent, or a person with a token, may ask for more than people can review (T09). Their requests are then refused
 * for a while. Plans and calls count together.
 */
export class LimitRequests {
  constructor(
    private readonly floods: FloodRepository,
    private readonly journal: ApprovalJournal,
  ) {}

  /** The opening times of their latest requests, as far as they count. */
  latest(tx: Tx, requester: LimitedRequester): Promise<readonly number[]> {
    return this.floods.latest(tx, requester, MAX_REQUESTS);
  }

  /**
   * @param latest from {@link latest}.
   * @returns `approval.flood`, recorded once a time.
   */
  async check(
    tx: Tx,
    subject: ApprovalSubject,
    principal: Principal,
    { id }: LimitedRequester,
    latest: readonly number[],
    now: number,
  ): Promise<Result<void>> {
    const until = floodEnds(latest, now);
    if (until === null) return ok(undefined);
    if (await this.floods.throttled(tx, id, { since: now, until }))
      await this.journal.throttled(tx, subject, principal, until);
    return err(flooded(until, now));
  }
}
