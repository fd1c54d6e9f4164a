import type { SystemQuery } from '#lib/database';
import type { GuardedFetch } from '#lib/dispatch';
import { isAllowedPrivateHost, privateHostsOf, type AllowedPrivateHosts } from '#lib/outbound';
import type {
  Authenticator,
  CredentialRepository,
  EndFormerHand,
  EnrolmentRepository,
  Invitations,
  MfaProofs,
  MintCredential,
  OutdatePerson,
  PasskeyKeeper,
  PersonRepository,
  RandomBytes,
  Seats,
} from '#lib/identity';
import type { AuditSink, RowSeals, TwoPersonRule, TenantId, UnitOfWork } from '#lib/kernel';
import { relyingPartyOf, type SignInPasskeys } from '#lib/mfa';
import type { Keys, SecretVault, TenantRepository } from '#lib/tenancy';
import { OpenidIssuerGateway } from './adapters/openid-issuer-gateway.js';
import { SqlBrowserSessionRepository } from './adapters/sql-browser-session.repository.js';
import { SqlExternalIdentityRepository } from './adapters/sql-external-identity.repository.js';
import { SqlPasskeyAccountRepository } from './adapters/sql-passkey-account.repository.js';
import { SqlSignInReturnRepository } from './adapters/sql-sign-in-return.repository.js';
import { SqlSignInSettingsRepository } from './adapters/sql-sign-in-settings.repository.js';
import { SqlTenantDirectory } from './adapters/sql-tenant-directory.js';
import { SqlSignInStandings } from './adapters/sql-sign-in-standings.js';
import { AcceptInvitation } from './application/accept-invitation.js';
import { ResolvePerson } from './application/resolve-person.js';
import { AuthenticateIssuerToken } from './application/authenticate-issuer-token.js';
import { BeginSignIn } from './application/begin-sign-in.js';
import { CompleteSignIn } from './application/complete-sign-in.js';
import { ConfirmIssuer } from './application/confirm-issuer.js';
import { FindTenant } from './application/find-tenant.js';
import { OpenBrowserSessionByPasskey } from './application/open-browser-session-by-passkey.js';
import { PasskeyChallenges } from './application/passkey-challenges.js';
import { ReadIssuerStandings } from './application/read-issuer-standings.js';
import { RequireFreshSignIn } from './application/require-fresh-sign-in.js';
import { SealedSignIns } from './application/sealed-sign-ins.js';
import {
  EndBrowserSession,
  ReadBrowserSessions,
  RotateBrowserSession,
  SignOut,
} from './application/browser-sessions.js';
import type { PasskeyAccountRepository } from './application/passkey.ports.js';
import type {
  BrowserSessionRepository,
  ExternalIdentityRepository,
  IssuerGateway,
  SignInReturnRepository,
  SignInSettingsRepository,
  SignInStandings,
  TenantDirectory,
} from './application/sign-in.ports.js';
import { SignInByPasskey } from './application/sign-in-by-passkey.js';
import { ListSignInOptions, PutSignInSettings, ReadSignInSettings } from './application/sign-in-settings.js';
import { TestIssuer } from './application/test-issuer.js';
import { SignInAddresses } from './domain/sign-in-addresses.js';

/** The stored issuers, the people whom they know, and the browser sessions. */
export interface SignInRows {
  readonly settings: SignInSettingsRepository;
  readonly identities: ExternalIdentityRepository;
  readonly browserSessions: BrowserSessionRepository;
  readonly returns: SignInReturnRepository;
  readonly accounts: PasskeyAccountRepository;
  readonly tenantDirectory: TenantDirectory;
  readonly standings: SignInStandings;
}

/** The ports of this library that read and keep rows, over PostgreSQL. */
export const createSignInStore = ({
  system,
  seals,
}: {
  readonly system: SystemQuery;
  readonly seals: RowSeals;
}): SignInRows => ({
  settings: new SqlSignInSettingsRepository(seals),
  identities: new SqlExternalIdentityRepository(seals),
  browserSessions: new SqlBrowserSessionRepository(),
  returns: new SqlSignInReturnRepository(),
  accounts: new SqlPasskeyAccountRepository(system),
  tenantDirectory: new SqlTenantDirectory(system),
  standings: new SqlSignInStandings(system),
});

/** The guarded way to the issuers of tenants. */
export const createIssuerGateway = (fetch: GuardedFetch): IssuerGateway => new OpenidIssuerGateway(fetch);

export interface SignInDeps {
  readonly uow: UnitOfWork;
  readonly rows: SignInRows;
  readonly gateway: IssuerGateway;
  readonly keys: Pick<Keys, 'digests' | 'wrapping'>;
  readonly random: RandomBytes;
  readonly directory: {
    readonly people: PersonRepository;
    readonly credentials: CredentialRepository;
    readonly enrolments: Pick<EnrolmentRepository, 'markUsed'>;
    readonly seats: Pick<Seats, 'standingOf'>;
  };
  readonly identity: {
    readonly authenticator: Pick<Authenticator, 'authenticateIssuerToken'>;
    readonly mintCredential: MintCredential;
    readonly outdatePerson: Pick<OutdatePerson, 'execute'>;
    readonly endFormerHand: Pick<EndFormerHand, 'isThere' | 'execute'>;
    readonly invitations: Pick<Invitations, 'locate' | 'lockGood'>;
  };
  readonly mfa: {
    readonly proofs: MfaProofs;
    readonly passkeyKeeper: Pick<PasskeyKeeper, 'keepOnly'>;
    readonly signInPasskeys: Pick<
      SignInPasskeys,
      'available' | 'assert' | 'activeOf' | 'offer' | 'proveFormer' | 'answered' | 'add'
    >;
  };
  readonly tenants: Pick<TenantRepository, 'find'>;
  readonly vault: SecretVault;
  readonly twoPersonRule: TwoPersonRule;
  readonly audit: AuditSink;
  readonly publicUrl: string;
  readonly allowedPrivateHosts: AllowedPrivateHosts;
  /** The operator names a tenant by its slug in `allowedPrivateHosts`. */
  readonly slugOf: (tenantId: TenantId) => Promise<string>;
}

export function createSignIn(deps: SignInDeps) {
  const { uow, gateway, random, vault, tenants, twoPersonRule, audit } = deps;
  const { settings, identities, browserSessions, returns, accounts, tenantDirectory, standings } = deps.rows;
  const { digests, wrapping } = deps.keys;
  const { people, credentials, enrolments, seats } = deps.directory;
  const { authenticator, mintCredential, outdatePerson, endFormerHand, invitations } = deps.identity;
  const { proofs, passkeyKeeper, signInPasskeys } = deps.mfa;
  const addresses = new SignInAddresses(deps.publicUrl);
  const sealed = new SealedSignIns(wrapping);
  const ending = new EndBrowserSession(uow, browserSessions, credentials, audit);
  const opening = new OpenBrowserSessionByPasskey({
    settings,
    accounts,
    browserSessions,
    mint: mintCredential,
    random,
    audit,
  });
  const plainAllowed = async (tenantId: TenantId): Promise<(url: URL) => boolean> => {
    const hosts = privateHostsOf(deps.allowedPrivateHosts, await deps.slugOf(tenantId));
    return ({ hostname, port }) => isAllowedPrivateHost(hosts, hostname, Number(port || 80));
  };
  return {
    tenantDirectory,
    addresses,
    sealed,
    endBrowserSession: ending,
    confirmIssuer: new ConfirmIssuer(uow, settings, seats, proofs, audit),
    readIssuerStandings: new ReadIssuerStandings(uow, settings, people, seats),
    testIssuer: new TestIssuer(uow, settings, vault, gateway),
    beginSignIn: new BeginSignIn({
      uow,
      tenants: tenantDirectory,
      settings,
      sealed,
      vault,
      gateway,
      addresses,
      digests,
      random,
    }),
    completeSignIn: new CompleteSignIn({
      uow,
      sealed,
      returns,
      settings,
      vault,
      gateway,
      resolve: new ResolvePerson(people, endFormerHand, identities, outdatePerson, audit),
      identities,
      mint: mintCredential,
      digests,
      browserSessions,
      keys: wrapping,
      random,
      audit,
    }),
    authenticateIssuerToken: new AuthenticateIssuerToken({
      uow,
      tenants: tenantDirectory,
      settings,
      identities,
      gateway,
      addresses,
      mint: mintCredential,
      authenticator,
    }),
    readBrowserSessions: new ReadBrowserSessions(uow, browserSessions, people, tenants),
    rotateBrowserSession: new RotateBrowserSession(uow, browserSessions, credentials, digests, random, audit),
    signOut: new SignOut({ uow, browserSessions, settings, ending, gateway, keys: wrapping, addresses }),
    requireFreshSignIn: new RequireFreshSignIn(standings),
    findTenant: new FindTenant(tenantDirectory),
    listSignInOptions: new ListSignInOptions(uow, tenantDirectory, settings, signInPasskeys.available),
    readSignInSettings: new ReadSignInSettings(uow, settings),
    putSignInSettings: new PutSignInSettings({
      uow,
      settings,
      vault,
      gateway,
      plainAllowed,
      identities,
      twoPersonRule,
      audit,
    }),
    signInByPasskey: new SignInByPasskey(uow, {
      party: relyingPartyOf(deps.publicUrl),
      challenges: new PasskeyChallenges(wrapping, random),
      accounts,
      people,
      settings,
      passkeys: signInPasskeys,
      opening,
      audit,
    }),
    acceptInvitation: new AcceptInvitation(uow, {
      invitations,
      enrolments,
      people,
      credentials,
      tenants,
      settings,
      accounts,
      passkeys: signInPasskeys,
      factors: passkeyKeeper,
      formerHand: endFormerHand,
      outdating: outdatePerson,
      opening,
      audit,
    }),
  };
}
