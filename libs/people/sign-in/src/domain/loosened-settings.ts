import { minutesInWords } from '#lib/words';
import type { IssuerDescription, Provision, SignInSettings } from './issuer.js';
import type { WantedSettings } from './settings-document.js';

/** From the narrowest to the widest. */
const WIDENING: readonly Provision[] = ['nobody', 'mapped', 'anybody'];

/**
 * The loosenings of a change of the sign-in settings, in words. Settings that decide over ways in, persons and roles decide
 * over approvers, too. Empty for a change that only tightens.
 */
export function loosenedSettings(before: SignInSettings, after: WantedSettings): readonly string[] {
  return [
    ...(after.reauthenticateAfterMinutes > before.reauthenticateAfterMinutes
      ? [
          `a sign-in is good for ${minutesInWords(after.reauthenticateAfterMinutes)} instead of ${minutesInWords(before.reauthenticateAfterMinutes)}`,
        ]
      : []),
    ...(after.browserSessionMinutes > before.browserSessionMinutes
      ? [
          `a browser session lasts ${minutesInWords(after.browserSessionMinutes)} instead of ${minutesInWords(before.browserSessionMinutes)}`,
        ]
      : []),
    ...(after.browserSessionIdleMinutes > before.browserSessionIdleMinutes
      ? [
          `a browser session may rest ${minutesInWords(after.browserSessionIdleMinutes)} instead of ${minutesInWords(before.browserSessionIdleMinutes)}`,
        ]
      : []),
    ...(after.dormantAfterDays > before.dormantAfterDays
      ? [
          `somebody known by no issuer may review for ${String(after.dormantAfterDays)} days after they last came in, instead of ${String(before.dormantAfterDays)}`,
        ]
      : []),
    ...(before.signInRequired && !after.signInRequired
      ? ['people who have no identity at an issuer may review and administer without a sign-in']
      : []),
    ...before.issuers
      .filter((issuer) => !after.issuers.some(({ url }) => url === issuer.url))
      .map(({ name }) =>
        after.signInRequired
          ? `people whom ${name} alone knows count as known by nobody`
          : `people who signed in by ${name} are no longer asked to sign in again`,
      ),
    ...after.issuers.flatMap((issuer) => {
      const was = before.issuers.find(({ url }) => url === issuer.url);
      return was === undefined ? newIssuer(issuer) : loosenedIssuer(was, issuer);
    }),
  ];
}

function newIssuer(issuer: IssuerDescription): string[] {
  return [
    `everybody for whom ${issuer.url} vouches may sign in by ${issuer.name}`,
    ...mappingsInWords(issuer, issuer.roleMappings),
    ...(issuer.linkByVerifiedEmail ? [linking(issuer)] : []),
    ...(issuer.bearerScopes.length > 0 ? [bearing(issuer, issuer.bearerScopes)] : []),
  ];
}

/** The further people that the issuer lets in or gives roles, in words; empty for a change that only tightens. */
export function loosenedIssuer(was: IssuerDescription, is: IssuerDescription): string[] {
  const scopes = is.bearerScopes.filter((scope) => !was.bearerScopes.includes(scope));
  const asked = is.extraScopes.filter((scope) => !was.extraScopes.includes(scope));
  const algorithms = is.algorithms.filter((algorithm) => !was.algorithms.includes(algorithm));
  const otherClaim = was.rolesClaim !== is.rolesClaim;
  const mappings = is.roleMappings.filter(
    ({ value, role }) =>
      otherClaim || !was.roleMappings.some((mapping) => mapping.value === value && mapping.role === role),
  );
  return [
    ...(WIDENING.indexOf(is.provision) > WIDENING.indexOf(was.provision)
      ? [`${is.provision === 'anybody' ? 'anybody' : 'everybody who gets a role'} of ${is.name} becomes a person here`]
      : []),
    ...mappingsInWords(is, mappings),
    ...(is.linkByVerifiedEmail && !was.linkByVerifiedEmail ? [linking(is)] : []),
    ...(scopes.length > 0 ? [bearing(is, scopes)] : []),
    ...(was.clientId === is.clientId ? [] : [`${is.name} vouches to another client, ${is.clientId}`]),
    ...(asked.length > 0 ? [`${is.name} is asked for ${asked.join(', ')}, and may give roles by it`] : []),
    ...(algorithms.length > 0 ? [`tokens of ${is.name} may be signed by ${algorithms.join(', ')}`] : []),
  ];
}

const mappingsInWords = (issuer: IssuerDescription, mappings: IssuerDescription['roleMappings']): string[] =>
  mappings.map(({ value, role }) => `everybody with ${value} in ${issuer.rolesClaim} at ${issuer.name} holds ${role}`);

const linking = ({ name }: IssuerDescription): string =>
  `anybody to whom ${name} gives the verified e-mail address of a person becomes that person`;

const bearing = ({ name }: IssuerDescription, scopes: readonly string[]): string =>
  `access tokens of ${name} may be used for ${scopes.join(', ')}`;
