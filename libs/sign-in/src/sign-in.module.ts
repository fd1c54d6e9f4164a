import { Module, type DynamicModule, type FactoryProvider } from '@nestjs/common';
import { AUDIT_SINK } from '#lib/audit';
import { SYSTEM_QUERY, UNIT_OF_WORK, type SystemQuery } from '#lib/database';
import {
  GUARDED_FETCH,
  isAllowedPrivateHost,
  privateHostsOf,
  type AllowedPrivateHosts,
  type GuardedFetch,
} from '#lib/dispatch';
import {
  Authenticate,
  EndFormerHand,
  Invitations,
  MintCredential,
  nodeRandomBytes,
  OutdatePerson,
  PostgresCredentialFile,
  PostgresCredentialRepository,
  PostgresEnrolmentRepository,
  PostgresLeftBehind,
  PostgresPersonRepository,
  PostgresSeats,
} from '#lib/identity';
import {
  GUARDRAIL,
  MFA_PROOFS,
  PASSKEY_KEEPER,
  SECRET_DIGESTS,
  type AuditSink,
  type Guardrail,
  type MfaProofs,
  type PasskeyKeeper,
  type RowSeals,
  type SecretDigests,
  type TenantId,
  type UnitOfWork,
} from '#lib/kernel';
import {
  AcceptInvitation,
  AdmitPerson,
  AuthenticateIssuerToken,
  BeginSignIn,
  CompleteSignIn,
  ConfirmIssuer,
  EndSession,
  ListSignInOptions,
  OpenidIssuerGateway,
  OpenPasskeySession,
  PasskeyChallenges,
  PostgresBrowserSessionRepository,
  PostgresExternalIdentityRepository,
  PostgresPasskeyAccountRepository,
  PostgresSignInReturnRepository,
  PostgresSignInSettingsRepository,
  PostgresTenantDirectory,
  PutSignInSettings,
  ReadIssuerStandings,
  ReadSessions,
  ReadSignInSettings,
  RequireFreshSignIn,
  RotateSession,
  SealedSignIns,
  SignInAddresses,
  SignInByPasskey,
  SignOut,
  TestIssuer,
} from '#lib/sign-in';
import { relyingPartyOf, SignInPasskeys } from '#lib/mfa';
import {
  KEYRING,
  KeyringKeyWrapping,
  SECRET_VAULT,
  TypeormTenantRepository,
  type Keyring,
  type SecretVault,
} from '#lib/tenancy';

export interface SignInConfig {
  readonly publicUrl: string;
  readonly allowedPrivateHosts: AllowedPrivateHosts;
  readonly slugOf: (tenantId: TenantId) => Promise<string>;
  readonly seals: RowSeals;
}

interface Ports {
  readonly uow: UnitOfWork;
  readonly system: SystemQuery;
  readonly audit: AuditSink;
  readonly vault: SecretVault;
  readonly keyring: Keyring;
  readonly fetch: GuardedFetch;
  readonly guardrail: Guardrail;
  readonly digests: SecretDigests;
  readonly passkeys: SignInPasskeys;
  readonly proofs: MfaProofs;
  readonly keeper: PasskeyKeeper;
}

const parts = (
  { uow, system, audit, vault, keyring, fetch, guardrail, digests, passkeys, proofs, keeper }: Ports,
  config: SignInConfig,
): readonly object[] => {
  const people = new PostgresPersonRepository(config.seals);
  const credentials = new PostgresCredentialRepository(config.seals);
  const settings = new PostgresSignInSettingsRepository(config.seals);
  const identities = new PostgresExternalIdentityRepository(config.seals);
  const sessions = new PostgresBrowserSessionRepository();
  const tenants = new PostgresTenantDirectory(system);
  const gateway = new OpenidIssuerGateway(fetch);
  const addresses = new SignInAddresses(config.publicUrl);
  const keys = new KeyringKeyWrapping(keyring);
  const sealed = new SealedSignIns(keys);
  const mint = new MintCredential(credentials, digests, nodeRandomBytes);
  const ending = new EndSession(uow, sessions, credentials, audit);
  const accounts = new PostgresPasskeyAccountRepository(system);
  const seats = new PostgresSeats(config.seals);
  const enrolments = new PostgresEnrolmentRepository(system, config.seals);
  const formerHand = new EndFormerHand({
    credentials,
    enrolments,
    seats,
    passkeys: keeper,
    leftBehind: new PostgresLeftBehind(),
  });
  const outdating = new OutdatePerson(guardrail, people, enrolments);
  const opening = new OpenPasskeySession({ settings, accounts, sessions, mint, random: nodeRandomBytes, audit });
  const tenantRows = new TypeormTenantRepository();
  const plainAllowed = async (tenantId: TenantId): Promise<(url: URL) => boolean> => {
    const hosts = privateHostsOf(config.allowedPrivateHosts, await config.slugOf(tenantId));
    return ({ hostname, port }) => isAllowedPrivateHost(hosts, hostname, Number(port || 80));
  };
  return [
    addresses,
    ending,
    new ConfirmIssuer(uow, settings, seats, proofs, audit),
    new ReadIssuerStandings(uow, settings, people, seats),
    new TestIssuer(uow, settings, vault, gateway),
    new BeginSignIn(uow, tenants, settings, sealed, vault, gateway, addresses, digests, nodeRandomBytes),
    new CompleteSignIn({
      uow,
      sealed,
      returns: new PostgresSignInReturnRepository(),
      settings,
      vault,
      gateway,
      admit: new AdmitPerson(people, formerHand, identities, outdating, audit),
      identities,
      mint,
      digests,
      sessions,
      keys,
      random: nodeRandomBytes,
      audit,
    }),
    new AuthenticateIssuerToken(
      uow,
      settings,
      identities,
      gateway,
      addresses,
      mint,
      new Authenticate(uow, new PostgresCredentialFile(system, config.seals), digests),
    ),
    new ReadSessions(uow, sessions, people, tenantRows),
    new RotateSession(uow, sessions, credentials, digests, nodeRandomBytes, audit),
    new SignOut(uow, sessions, settings, ending, gateway, keys, addresses),
    new RequireFreshSignIn(uow, settings, identities, accounts),
    new ListSignInOptions(uow, tenants, settings, passkeys.available),
    new ReadSignInSettings(uow, settings),
    new PutSignInSettings(uow, settings, vault, gateway, plainAllowed, identities, guardrail, audit),
    new SignInByPasskey(uow, {
      party: relyingPartyOf(config.publicUrl),
      challenges: new PasskeyChallenges(keys, nodeRandomBytes),
      accounts,
      people,
      settings,
      passkeys,
      opening,
      audit,
    }),
    new AcceptInvitation(uow, {
      invitations: new Invitations(enrolments, people, digests),
      enrolments,
      people,
      credentials,
      tenants: tenantRows,
      settings,
      accounts,
      passkeys,
      factors: keeper,
      formerHand,
      outdating,
      opening,
      audit,
    }),
  ];
};

const PARTS = Symbol('sign-in parts');
const USE_CASES = [
  SignInAddresses,
  EndSession,
  BeginSignIn,
  CompleteSignIn,
  ConfirmIssuer,
  AuthenticateIssuerToken,
  ReadSessions,
  RotateSession,
  SignOut,
  RequireFreshSignIn,
  ListSignInOptions,
  ReadIssuerStandings,
  ReadSignInSettings,
  TestIssuer,
  PutSignInSettings,
  SignInByPasskey,
  AcceptInvitation,
];

/** Signing in. Needs the database's, audit's, tenancy's, dispatch's and guardrail's modules, which are global. */
@Module({})
export class SignInModule {
  static of(config: SignInConfig): DynamicModule {
    const provideParts: FactoryProvider = {
      provide: PARTS,
      inject: [
        UNIT_OF_WORK,
        SYSTEM_QUERY,
        AUDIT_SINK,
        SECRET_VAULT,
        KEYRING,
        GUARDED_FETCH,
        GUARDRAIL,
        SECRET_DIGESTS,
        SignInPasskeys,
        MFA_PROOFS,
        PASSKEY_KEEPER,
      ],
      useFactory: (
        uow: UnitOfWork,
        system: SystemQuery,
        audit: AuditSink,
        vault: SecretVault,
        keyring: Keyring,
        fetch: GuardedFetch,
        guardrail: Guardrail,
        digests: SecretDigests,
        passkeys: SignInPasskeys,
        proofs: MfaProofs,
        keeper: PasskeyKeeper,
      ) => {
        const ports = {
          uow,
          system,
          audit,
          vault,
          keyring,
          fetch,
          guardrail,
          digests,
          passkeys,
          proofs,
          keeper,
        };
        return parts(ports, config);
      },
    };
    const providers: FactoryProvider[] = USE_CASES.map((useCase) => ({
      provide: useCase,
      inject: [PARTS],
      useFactory: (made: readonly object[]) => made.find((one) => one instanceof useCase),
    }));
    return {
      module: SignInModule,
      global: true,
      providers: [provideParts, ...providers],
      exports: providers.map(({ provide }) => provide),
    };
  }
}
