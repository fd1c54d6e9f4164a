import { err, notFound, ok, type PersonId, type PersonPrincipal, type Result, type Scope, type Tx } from '#lib/kernel';
import { decideFresh } from '../domain/fresh-sign-in.js';
import { decideCameIn } from '../domain/passkey-way.js';
import type { SignInStanding, SignInStandings } from './sign-in.ports.js';

/**
 * Guards reviews and administrative actions over every channel. Refuses `sign_in.not_fresh` if the person's last
 * sign-in is older than the tenant allows. Refuses a review with `sign_in.dormant` if the account was not used for
 * long.
 */
export class RequireFreshSignIn {
  constructor(private readonly standings: SignInStandings) {}

  async execute(by: PersonPrincipal, scope: Scope = 'review'): Promise<Result<void>> {
    // Read with the credential, a moment ago: a holder of tokens alone never signed in.
    if (by.signedInAt === null && scope !== 'review') return ok(undefined);
    const standing = await this.standings.read(by.tenantId, by.personId);
    return scope === 'review' ? mayReview(standing) : isFresh(standing);
  }

  /** Before a review, in a transaction that is open. It is for a person without a credential of ours: by a click in Slack. */
  async within(tx: Tx, personId: PersonId): Promise<Result<void>> {
    return mayReview(await this.standings.readWithin(tx, personId));
  }
}

function mayReview(standing: SignInStanding | null): Result<void> {
  const fresh = isFresh(standing);
  return fresh.ok && standing !== null ? decideCameIn(standing, standing, standing.now) : fresh;
}

const isFresh = (standing: SignInStanding | null): Result<void> =>
  standing === null
    ? err(notFound('person'))
    : decideFresh(standing.signedInAt, standing.reauthenticateAfterMinutes, standing.now);
