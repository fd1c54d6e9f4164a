import type { Person } from '#lib/identity';
import { newId, type PersonId } from '#lib/kernel';
import { sampleIssuer, type sampleSettings } from './application/fake-issuer.js';
import type { IssuerClaims } from './domain/issuer.js';
import { signInWorld, type PlayedParts } from './fake-sign-in-world.js';

/** The claims of an issuer about a person who signed in. */
export const sampleClaims = (members: Partial<IssuerClaims> = {}): IssuerClaims => ({
  subject: 'subject-of-ada',
  email: 'ada@example.com',
  emailVerified: true,
  displayName: 'Ada',
  groups: ['sre'],
  authenticatedAt: null,
  ...members,
});

/** A tenant with one issuer, and the people who sign in there. */
export async function resolvingWorld(
  members: Parameters<typeof sampleIssuer>[0] = {},
  settings: Parameters<typeof sampleSettings>[0] = {},
  played: PlayedParts['identity'] = {},
) {
  /** People with a hand that let them in; its access ends with their link. */
  const hands = new Set<PersonId>();
  const formerHand = {
    isThere: (_tx: unknown, id: PersonId) => Promise.resolve(hands.has(id)),
    execute: (_tx: unknown, id: PersonId) => {
      hands.delete(id);
      return Promise.resolve({ revokedTokens: 2, invitations: 1, factors: 1, delegations: 0, browsers: 0 });
    },
  };
  const outdated: PersonId[] = [];
  const outdating = {
    execute: (_tx: unknown, _by: unknown, id: PersonId) => {
      outdated.push(id);
      return Promise.resolve();
    },
  };
  const world = await signInWorld({ identity: { endFormerHand: formerHand, outdatePerson: outdating, ...played } });
  const { home, people, identities, atHome, putInForce } = world;
  const [issuer] = await putInForce({ issuers: [sampleIssuer(members)], ...settings });
  if (issuer === undefined) throw new Error('no issuer is in service');
  return {
    ...world,
    issuer,
    formerHand,
    hands,
    outdating,
    outdated,
    /** A person with an identity at the issuer. */
    known: async (person: Partial<Person> = {}): Promise<Person> => {
      const there = people.add(home, person);
      const { subject } = sampleClaims();
      await atHome((tx) => identities.insert(tx, { id: newId(), issuerId: issuer.id, subject, personId: there.id }));
      return there;
    },
    rolesOf: ({ id }: Pick<Person, 'id'>) =>
      people
        .all(home)
        .find((person) => person.id === id)
        ?.roles.map(({ role }) => role),
  };
}
