import {
  actorOf,
  err,
  ok,
  type AuditSink,
  type Failure,
  type PersonPrincipal,
  type Result,
  type TenantId,
  type UnitOfWork,
} from '#lib/kernel';
import type { SecretVault } from '#lib/tenancy';
import { checkIssuers } from '../domain/check-settings.js';
import { decideFresh } from '../domain/fresh-sign-in.js';
import type { IssuerDescription, SignInSettings } from '../domain/issuer.js';
import { issuerClient } from './issuer-clients.js';
import type { IssuerGateway, SignInSettingsRepository, TenantDirectory } from './sign-in.ports.js';

/** Which issuers somebody may choose from who is not signed in yet. */
export class ListSignInOptions {
  readonly #uow: UnitOfWork;
  readonly #tenants: TenantDirectory;
  readonly #settings: SignInSettingsRepository;

  constructor(uow: UnitOfWork, tenants: TenantDirectory, settings: SignInSettingsRepository) {
    this.#uow = uow;
    this.#tenants = tenants;
    this.#settings = settings;
  }

  /** @returns none, too, for a tenant that is not there. Without a slug: those of an installation's only tenant. */
  async execute(slug: string | undefined): Promise<readonly { readonly name: string; readonly displayName: string }[]> {
    const tenantId = await (slug === undefined ? this.#tenants.only() : this.#tenants.bySlug(slug));
    if (tenantId === null) return [];
    const { issuers } = await this.#uow.run(tenantId, (tx) => this.#settings.read(tx));
    return issuers.map(({ name, displayName }) => ({ name, displayName }));
  }
}

export class ReadSignInSettings {
  readonly #uow: UnitOfWork;
  readonly #settings: SignInSettingsRepository;

  constructor(uow: UnitOfWork, settings: SignInSettingsRepository) {
    this.#uow = uow;
    this.#settings = settings;
  }

  execute(tenantId: TenantId): Promise<SignInSettings> {
    return this.#uow.run(tenantId, (tx) => this.#settings.read(tx));
  }
}

export interface WantedSettings {
  readonly reauthenticateAfterMinutes: number;
  readonly signInRequired: boolean;
  readonly issuers: readonly IssuerDescription[];
}

/**
 * Replaces how a tenant's people sign in. Every issuer is asked to describe itself first, so that nobody is sent to one that
 * does not answer; and only somebody who has just come through one may demand that everybody does.
 */
export class PutSignInSettings {
  readonly #uow: UnitOfWork;
  readonly #settings: SignInSettingsRepository;
  readonly #vault: SecretVault;
  readonly #gateway: IssuerGateway;
  readonly #plainAllowed: (tenantId: TenantId) => Promise<(url: URL) => boolean>;
  readonly #audit: AuditSink;

  constructor(
    uow: UnitOfWork,
    settings: SignInSettingsRepository,
    vault: SecretVault,
    gateway: IssuerGateway,
    plainAllowed: (tenantId: TenantId) => Promise<(url: URL) => boolean>,
    audit: AuditSink,
  ) {
    this.#uow = uow;
    this.#settings = settings;
    this.#vault = vault;
    this.#gateway = gateway;
    this.#plainAllowed = plainAllowed;
    this.#audit = audit;
  }

  /** @param expectedRevision the one the change was made from. */
  async execute(
    by: PersonPrincipal,
    wanted: WantedSettings,
    expectedRevision: number,
  ): Promise<Result<SignInSettings>> {
    const checked = checkIssuers(wanted.issuers, await this.#plainAllowed(by.tenantId));
    if (!checked.ok) return checked;
    for (const [index, issuer] of wanted.issuers.entries()) {
      const reachable = await this.#check(by.tenantId, issuer);
      if (!reachable.ok) return err(at(index, reachable.error));
    }
    return this.#uow.run(by.tenantId, async (tx) => {
      const before = await this.#settings.lock(tx);
      if (before.revision !== expectedRevision) return err(changedMeanwhile);
      if (wanted.signInRequired && !before.signInRequired) {
        const fresh = decideFresh(by.signedInAt ?? 0, wanted.reauthenticateAfterMinutes, await tx.now());
        if (!fresh.ok) return err(signInFirst);
      }
      await this.#settings.save(tx, { ...wanted, revision: before.revision + 1 }, by.personId);
      const after = await this.#settings.read(tx);
      await this.#audit.record(tx, {
        action: 'issuer.changed',
        actor: actorOf(by),
        level: 'full_with_evidence',
        subject: { type: 'sign_in_settings', id: by.tenantId },
        payload: { before: recorded(before), after: recorded(after) },
      });
      return ok(after);
    });
  }

  async #check(tenantId: TenantId, issuer: IssuerDescription): Promise<Result<void>> {
    const client = await this.#uow.run(tenantId, (tx) => issuerClient(tx, this.#vault, issuer));
    return client.ok ? this.#gateway.check(client.value) : client;
  }
}

const at = (index: number, failure: Failure): Failure => ({
  ...failure,
  kind: 'unprocessable',
  errors: [{ pointer: `/issuers/${String(index)}`, code: failure.code, message: failure.message }],
});

const recorded = (settings: SignInSettings) => ({
  revision: settings.revision,
  reauthenticate_after_minutes: settings.reauthenticateAfterMinutes,
  sign_in_required: settings.signInRequired,
  issuers: settings.issuers.map((issuer) => ({
    name: issuer.name,
    url: issuer.url,
    client_id: issuer.clientId,
    // A reference, which the log's masking would take for the secret.
    confidential: issuer.clientSecret !== null,
    algorithms: issuer.algorithms,
    roles_claim: issuer.rolesClaim,
    role_mappings: issuer.roleMappings.map(({ value, role }) => ({ value, role })),
    provision: issuer.provision,
    link_by_verified_email: issuer.linkByVerifiedEmail,
    bearer_scopes: issuer.bearerScopes,
  })),
});

const changedMeanwhile: Failure = {
  kind: 'precondition_failed',
  code: 'request.changed_meanwhile',
  message: 'Somebody else has changed the sign-in settings meanwhile.',
  action: 'Read them again, and make your change there.',
};

const signInFirst: Failure = {
  kind: 'conflict',
  code: 'issuer.sign_in_first',
  message:
    'Demanding a sign-in of everybody takes that you have just signed in at an issuer yourself: nobody shall be locked out.',
  action: 'Save the issuers, sign in by one of them, then demand it.',
};
