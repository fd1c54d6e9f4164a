import type { SignInSettings } from './issuer.js';
import { loosenedIssuer } from './loosened-settings.js';

/**
 * The people who vouch for an issuer. `alone`: one hand, so the issuer makes no person known. `two_people`: they put it
 * in force together. `confirmed`: one did, and a person of another hand confirmed it later.
 * `migrations/0040_sign_in.sql` holds the same.
 */
export type IssuerStanding = 'alone' | 'two_people' | 'confirmed';

/**
 * Each issuer's standing after a change of the settings. One hand alone takes it away by any change that lets further people
 * come in, or hold a role. A new shown name, a new client secret and a tightening keep it. Otherwise a role could not
 * be taken away in a hurry. A change by two people gives it to a new issuer only. One that a hand put in force alone is
 * confirmed as a whole, and not by the way.
 */
export const standingsOf = (
  before: SignInSettings,
  after: SignInSettings,
  alone: boolean,
): readonly { readonly id: string; readonly how: IssuerStanding }[] =>
  after.issuers.flatMap((issuer): { readonly id: string; readonly how: IssuerStanding }[] => {
    const was = before.issuers.find(({ url }) => url === issuer.url);
    if (was === undefined) return [{ id: issuer.id, how: alone ? 'alone' : 'two_people' }];
    return alone && loosenedIssuer(was, issuer).length > 0 ? [{ id: issuer.id, how: 'alone' }] : [];
  });
