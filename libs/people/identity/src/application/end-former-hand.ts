import type { Actor, FactorId, PersonId, Tx } from '#lib/kernel';
import type { CredentialRepository, EnrolmentRepository, LeftBehind, Seats } from './identity.ports.js';
import type { PasskeyKeeper } from './passkey-keeper.js';

/** How many of each ended. */
export interface EndedOfHand {
  /** Browser sessions, tokens and Slack links of the person, and tokens of agents that were made in their name. */
  readonly revokedTokens: number;
  readonly invitations: number;
  readonly factors: number;
  readonly delegations: number;
  readonly browsers: number;
}

/** As the record and the answer keep it. */
export const endedDocument = ({ revokedTokens, ...rest }: EndedOfHand) => ({ revoked_tokens: revokedTokens, ...rest });

/** The actor, the passkey that stays (null for none), and the reason why factors end, for the record. */
export interface Ending {
  readonly actor: Actor;
  readonly endedBy: PersonId;
  readonly kept: FactorId | null;
  readonly why: string;
}

/**
 * Ends every way by which the hand that let a person in could still be that person (T69). It does so in the transaction
 * that makes the person known otherwise. Nothing shows which of two people used a secret that both know, so all of it
 * ends.
 */
export class EndFormerHand {
  constructor(
    private readonly held: {
      readonly credentials: CredentialRepository;
      readonly enrolments: EnrolmentRepository;
      readonly seats: Pick<Seats, 'standingOf'>;
      readonly passkeys: Pick<PasskeyKeeper, 'keepOnly'>;
      readonly leftBehind: LeftBehind;
    },
  ) {}

  /** Whether a hand could still be the person. For somebody who comes in: asked before their new way in is written down. */
  async isThere(tx: Tx, personId: PersonId): Promise<boolean> {
    return (await this.held.seats.standingOf(tx, [personId])).get(personId)?.known !== true;
  }

  async execute(tx: Tx, personId: PersonId, ending: Ending): Promise<EndedOfHand> {
    const { credentials, enrolments, passkeys, leftBehind } = this.held;
    const at = await tx.now();
    return {
      revokedTokens: await credentials.revokeAllMadeBy(tx, personId, at),
      invitations: await enrolments.voidUnused(tx, personId),
      factors: await passkeys.keepOnly(tx, personId, ending),
      delegations: await leftBehind.endDelegations(tx, personId, { at, by: ending.endedBy }),
      browsers: await leftBehind.endBrowsers(tx, personId),
    };
  }
}
