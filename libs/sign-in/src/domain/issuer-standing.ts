import type { Issuer, IssuerDescription, SignInSettings } from './issuer.js';

/**
 * On whose word an issuer is believed: of one hand alone, so that it makes nobody known; of two people who put it in force
 * together; or of one, and of somebody of another hand who confirmed it later. `migrations/0150_hands.sql` holds the same.
 */
export type IssuerStanding = 'alone' | 'two_people' | 'confirmed';

/**
 * What a change of the settings makes of each issuer's standing. Any change by one hand alone takes it away: whoever may
 * change the client, or who is linked, says who comes in. A change by two people gives it to a new issuer only; one that a
 * hand put in force alone is confirmed as a whole, and not by the way.
 */
export const standingsOf = (
  before: SignInSettings,
  after: SignInSettings,
  alone: boolean,
): readonly { readonly id: string; readonly how: IssuerStanding }[] =>
  after.issuers.flatMap((issuer): { readonly id: string; readonly how: IssuerStanding }[] => {
    const was = before.issuers.find(({ url }) => url === issuer.url);
    if (alone) return was === undefined || differs(was, issuer) ? [{ id: issuer.id, how: 'alone' }] : [];
    return was === undefined ? [{ id: issuer.id, how: 'two_people' }] : [];
  });

const differs = (was: Issuer, is: Issuer): boolean =>
  (Object.keys(is) as (keyof IssuerDescription)[]).some(
    (member) => JSON.stringify(was[member]) !== JSON.stringify(is[member]),
  );
