import { err, ok, type Failure, type PersonPrincipal, type Result, type Tx } from '#lib/kernel';
import type { CredentialHolder } from '../domain/credential.js';
import type { CredentialRepository } from './identity.ports.js';

/** For each live token that a person may hold, so many may be made in a day. This bounds revoking and making anew. */
const MADE_A_DAY_FOR_EACH = 4;
const SECONDS_A_DAY = 86_400;

/** How many tokens a person or agent may hold and be given (T47). Browser sessions and first credentials are not counted. */
export class TokenAllowance {
  constructor(
    private readonly credentials: Pick<CredentialRepository, 'countTokens' | 'stillGood'>,
    private readonly most: number,
  ) {}

  /**
   * Whether one more may be made; of several at once each sees those before it.
   *
   * Failures: `credential.ended` if the person's own credential ended meanwhile, `credential.too_many_tokens`, `credential.too_many_made`.
   */
  async require(tx: Tx, by: PersonPrincipal, holder: CredentialHolder): Promise<Result<void>> {
    if (!(await this.credentials.stillGood(tx, by.personId, by.credentialId))) return err(endedMeanwhile);
    const { live, madeToday } = await this.credentials.countTokens(tx, holder);
    if (live >= this.most) return err(tooMany(holder, this.most));
    return madeToday >= MADE_A_DAY_FOR_EACH * this.most
      ? err(tooOften(MADE_A_DAY_FOR_EACH * this.most))
      : ok(undefined);
  }
}

/** The credential of a request ended after the request was authenticated. */
export const endedMeanwhile: Failure = {
  kind: 'unauthenticated',
  code: 'credential.ended',
  message: 'You were signed out before this was done.',
  action: 'Sign in again, and do it then.',
};

const tooMany = (holder: CredentialHolder, most: number): Failure => ({
  kind: 'conflict',
  code: 'credential.too_many_tokens',
  message: `${'personId' in holder ? 'You have' : 'This agent has'} ${String(most)} tokens that are still good, which is the most.`,
  action: 'Revoke one that is no longer used.',
});

const tooOften = (most: number): Failure => ({
  kind: 'rate_limited',
  code: 'credential.too_many_made',
  message: `${String(most)} tokens were made here within a day, which is the most.`,
  action: 'Use one that is still good, or come back tomorrow.',
  retryAfterSeconds: SECONDS_A_DAY,
});
