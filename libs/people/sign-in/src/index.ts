/**
 * How people come in: the OpenID Connect issuers of a tenant, and signing in at them in a browser. Also the
 * browser sessions that this opens, and the access tokens of the same issuers.
 *
 * Invariants: somebody is known by issuer and subject, never by an e-mail address alone; a sign-in under way
 * is sealed into its state, is stored nowhere, and serves one return of one browser; a token's signature is verified by an algorithm with a public key, its issuer,
 * audience and times are checked; of a browser session's token only a digest is kept; a role that is mapped keeps its beginning while it
 * is given; every step is audited.
 *
 * Never decides what a role allows, and reaches issuers by the guarded way out alone.
 */
export {
  browserSessionEntity,
  externalIdentityEntity,
  issuerEntity,
  issuerStandingEntity,
  passkeySignInEntity,
  signInSettingsEntity,
} from './adapters/sign-in.entity.js';
export { AcceptInvitation } from './application/accept-invitation.js';
export { AuthenticateIssuerToken } from './application/authenticate-issuer-token.js';
export { BeginSignIn } from './application/begin-sign-in.js';
export { CompleteSignIn } from './application/complete-sign-in.js';
export { RequireFreshSignIn } from './application/require-fresh-sign-in.js';
export { ConfirmIssuer } from './application/confirm-issuer.js';
export { ReadIssuerStandings, type NamedIssuerStanding } from './application/read-issuer-standings.js';
export {
  EndBrowserSession,
  ReadBrowserSessions,
  RotateBrowserSession,
  SignOut,
} from './application/browser-sessions.js';
export { SignInByPasskey } from './application/sign-in-by-passkey.js';
export { SignInAddresses } from './domain/sign-in-addresses.js';
export { FindTenant } from './application/find-tenant.js';
export { ListSignInOptions, PutSignInSettings, ReadSignInSettings } from './application/sign-in-settings.js';
export { looksLikeJwt } from './domain/read-unverified.js';
export { TestIssuer } from './application/test-issuer.js';
export type { BrowserSession, ComingBrowser } from './domain/browser-session.js';
export { BROWSER_SESSION_LIFETIME_MS, SIGN_IN_LIFETIME_MS } from './domain/browser-session.js';
export type { SignInSettings } from './domain/issuer.js';
export { issuerDocument, wantedSettingsOf } from './domain/settings-document.js';
export { createIssuerGateway, createSignIn, createSignInStore } from './create-sign-in.js';
