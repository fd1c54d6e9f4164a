import { shownName, type PersonRepository, type Seats } from '#lib/identity';
import type { Failure, PersonId, PersonPrincipal, UnitOfWork } from '#lib/kernel';
import { decideConfirmIssuer } from '../domain/decide-confirm-issuer.js';
import type { IssuerStanding } from '../domain/issuer-standing.js';
import type { SignInSettings } from '../domain/issuer.js';
import type { SignInSettingsRepository } from './sign-in.ports.js';

/** The people who vouch for an issuer, as people read them. */
export interface NamedIssuerStanding {
  readonly how: IssuerStanding;
  /** The person who put it in force alone, or confirmed it last. */
  readonly person: { readonly id: PersonId; readonly displayName: string };
  /** The reason why the caller can't confirm it; null if they can. */
  readonly whyNot: Failure | null;
}

/** The people who vouch for each issuer in service, and whether the caller can confirm it. */
export class ReadIssuerStandings {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly settings: Pick<SignInSettingsRepository, 'standing'>,
    private readonly people: Pick<PersonRepository, 'findMany'>,
    private readonly seats: Pick<Seats, 'standingOf'>,
  ) {}

  /** @param issuers in service. */
  execute(by: PersonPrincipal, issuers: SignInSettings['issuers']): Promise<ReadonlyMap<string, NamedIssuerStanding>> {
    return this.uow.run(by.tenantId, async (tx) => {
      const found = await Promise.all(
        issuers.map(async ({ id }) => ({ id, standing: await this.settings.standing(tx, id) })),
      );
      const ids = [...new Set([by.personId, ...found.flatMap(({ standing }) => standing?.personId ?? [])])];
      const [standings, people] = [await this.seats.standingOf(tx, ids), await this.people.findMany(tx, ids)];
      const names = new Map(people.map((one) => [one.id, shownName(one)]));
      const nameOf = (id: PersonId): string => names.get(id) ?? 'somebody';
      return new Map(
        found.flatMap(({ id, standing }) => {
          if (standing === null) return [];
          const { how, personId } = standing;
          const decided = decideConfirmIssuer(standing, by.personId, standings);
          const whyNot = decided.ok ? null : decided.error;
          return [[id, { how, person: { id: personId, displayName: nameOf(personId) }, whyNot }] as const];
        }),
      );
    });
  }
}
