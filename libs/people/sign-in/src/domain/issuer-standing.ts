import type { SignInSettings } from './issuer.js';
import { loosenedIssuer } from './loosened-settings.js';

/**
 * On whose word an issuer is believed: of one hand alone, so that it makes nobody known; of two people who put it in force
 * together; or of one, and of somebody of another hand who confirmed it later. `migrations/0040_sign_in.sql` holds the same.
 */
export type IssuerStanding = 'alone' | 'two_people' | 'confirmed';

/**
 * What a change of the settings makes of each issuer's standing. One hand alone takes it away by anything that lets somebody
 * come in, or hold a role, who did not before. Its shown name, its client's secret and what only tightens decide neither, and
 * keep it: else nobody could take a role away in a hurry. A change by two people gives it to a new issuer only; one that a hand
 * put in force alone is confirmed as a whole, and not by the way.
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
