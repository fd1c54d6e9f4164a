import type { Person } from '#lib/identity';
import { err, newId, ok, type FactorId, type PersonId, type Result, type Tx } from '#lib/kernel';
import { type samplePasskey } from './application/fake-passkey.js';
import { signInWorld, type PlayedParts } from './fake-sign-in-world.js';

export const BROWSER = { userAgent: 'a browser', address: '203.0.113.7' };

export const failure = (code: string) => err({ kind: 'forbidden', code, message: code } as const);

/** A tenant with a person who can come in by a passkey of ours. */
export async function passkeyHolder(members: Partial<Person> = {}, played: PlayedParts = {}) {
  const world = await signInWorld(played);
  const { uow, home, people, browserSessions, identities, atHome } = world;
  const person = people.add(home, { enrolledAt: uow.now, ...members });
  return {
    ...world,
    person,
    browserSessionsOf: (personId: PersonId) => atHome((tx) => browserSessions.list(tx, personId)),
    /** An issuer of the tenant knows the person. */
    knownAtIssuer: async () => {
      const [issuer] = await world.putInForce();
      const identity = { id: newId(), issuerId: issuer?.id ?? '', subject: 'ada', personId: person.id };
      await atHome((tx) => identities.insert(tx, identity));
    },
  };
}

type Passkey = ReturnType<typeof samplePasskey>;

/** Browsers sign with their own passkeys: the test says how the check of a signature ends. */
export class FakeAssertions {
  outcome: Result<Pick<Passkey, 'id'>> = ok({ id: newId<FactorId>() });
  readonly asked: (readonly [PersonId, string])[] = [];

  assert(_tx: Tx, personId: PersonId, _answer: object, challenge: string): Promise<Result<Passkey>> {
    this.asked.push([personId, challenge]);
    return Promise.resolve(this.outcome as Result<Passkey>);
  }
}
