import { wantedSignInSettingsSchema } from '#lib/formats';
import {
  actingPerson,
  done,
  err,
  ok,
  type AuditSink,
  type CarriesOutChange,
  type ConfirmedChange,
  type Failure,
  type Guarded,
  type TwoPersonRule,
  type ChangeAuthority,
  type PersonId,
  type PersonPrincipal,
  type Result,
  type TenantId,
  type Tx,
  type UnitOfWork,
} from '#lib/kernel';
import type { SecretVault } from '#lib/tenancy';
import { checkIssuers } from '../domain/check-settings.js';
import { decideFresh } from '../domain/fresh-sign-in.js';
import type { IssuerDescription, SignInSettings } from '../domain/issuer.js';
import { standingsOf } from '../domain/issuer-standing.js';
import { loosenedSettings } from '../domain/loosened-settings.js';
import {
  settingsDocument,
  wantedSettingsOf,
  type SettingsDocument,
  type WantedSettings,
} from '../domain/settings-document.js';
import { issuerClient } from './issuer-clients.js';
import type {
  ExternalIdentityRepository,
  IssuerGateway,
  SignInSettingsRepository,
  TenantDirectory,
} from './sign-in.ports.js';

/** The ways in for a person who is not signed in yet. */
export interface SignInOptions {
  readonly issuers: readonly { readonly name: string; readonly displayName: string }[];
  /** Whether a passkey of ours lets people in: not if an issuer is the only way. */
  readonly passkeys: boolean;
  /** Whether anybody has founded a tenant here. */
  readonly founded: boolean;
}

/** Lists the ways in for a person who is not signed in yet. */
export class ListSignInOptions {
  readonly #uow: UnitOfWork;
  readonly #tenants: TenantDirectory;
  readonly #settings: SignInSettingsRepository;

  constructor(
    uow: UnitOfWork,
    tenants: TenantDirectory,
    settings: SignInSettingsRepository,
    private readonly passkeysAvailable: boolean,
  ) {
    this.#uow = uow;
    this.#tenants = tenants;
    this.#settings = settings;
  }

  /** For a tenant that is not there as for one without issuers. Without a slug: those of an installation's only tenant. */
  async execute(slug: string | undefined): Promise<SignInOptions> {
    const founded = await this.#tenants.any();
    const tenantId = await (slug === undefined ? this.#tenants.only() : this.#tenants.bySlug(slug));
    if (tenantId === null) return { issuers: [], passkeys: this.passkeysAvailable, founded };
    const { issuers, signInRequired } = await this.#uow.run(tenantId, (tx) => this.#settings.read(tx));
    return {
      issuers: issuers.map(({ name, displayName }) => ({ name, displayName })),
      passkeys: this.passkeysAvailable && !signInRequired,
      founded,
    };
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

interface PutSignInSettingsDeps {
  readonly uow: UnitOfWork;
  readonly settings: SignInSettingsRepository;
  readonly vault: SecretVault;
  readonly gateway: IssuerGateway;
  readonly plainAllowed: (tenantId: TenantId) => Promise<(url: URL) => boolean>;
  readonly identities: Pick<ExternalIdentityRepository, 'signedInAtOneOf'>;
  readonly twoPersonRule: TwoPersonRule;
  readonly audit: AuditSink;
}

/**
 * Replaces how a tenant's people sign in. Every issuer is asked to describe itself first, so that people are not sent to one that
 * does not answer. Only a person who just came through an issuer may demand that everybody does. If further people come in, or
 * hold roles, it waits for a second person.
 */
export class PutSignInSettings implements CarriesOutChange<SettingsDocument> {
  readonly payload = wantedSignInSettingsSchema;

  constructor(private readonly deps: PutSignInSettingsDeps) {}

  /** @param expectedRevision the one the change was made from. */
  async execute(
    by: PersonPrincipal,
    wanted: WantedSettings,
    expectedRevision: number,
  ): Promise<Result<Guarded<SignInSettings>>> {
    const checked = checkIssuers(wanted.issuers, await this.deps.plainAllowed(by.tenantId));
    if (!checked.ok) return checked;
    for (const [index, issuer] of wanted.issuers.entries()) {
      const reachable = await this.#check(by.tenantId, issuer);
      if (!reachable.ok) return err(at(index, reachable.error));
    }
    return this.deps.uow.run(by.tenantId, (tx) => this.#put(tx, by, wanted, expectedRevision));
  }

  async carryOut(
    tx: Tx,
    change: ConfirmedChange,
    document: SettingsDocument,
  ): Promise<Result<Guarded<SignInSettings>>> {
    // The issuers answered when the change was asked for. The operator's rules about addresses are checked again.
    const wanted = wantedSettingsOf(document);
    const checked = checkIssuers(wanted.issuers, await this.deps.plainAllowed(tx.tenantId));
    return checked.ok ? this.#put(tx, change, wanted, null) : checked;
  }

  async #put(
    tx: Tx,
    authority: ChangeAuthority,
    wanted: WantedSettings,
    expectedRevision: number | null,
  ): Promise<Result<Guarded<SignInSettings>>> {
    const before = await this.deps.settings.lock(tx);
    if (expectedRevision !== null && before.revision !== expectedRevision) return err(changedMeanwhile);
    if (wanted.signInRequired && wanted.issuers.length === 0) return err(noWayIn);
    const kept = wanted.issuers.map(({ url }) => url);
    const oneGoes = before.issuers.some(({ url }) => !kept.includes(url));
    if (wanted.signInRequired && (!before.signInRequired || oneGoes)) {
      const { personId } = actingPerson(authority);
      // A passkey of ours, an operator's link, or an issuer that this change removes does not show a way in.
      const signedInAt = (await this.deps.identities.signedInAtOneOf(tx, personId, kept)) ?? 'never';
      const fresh = decideFresh(signedInAt, wanted.reauthenticateAfterMinutes, await tx.now());
      if (!fresh.ok) return err(signInFirst);
    }
    const next = { ...wanted, revision: before.revision + 1 };
    const admission = await this.deps.twoPersonRule.admit(tx, authority, {
      kind: 'sign_in',
      subject: { type: 'sign_in_settings', id: tx.tenantId },
      what: 'How people sign in, and the roles that their issuers give them',
      payload: settingsDocument(wanted),
      base: { revision: before.revision },
      loosens: loosenedSettings(before, wanted),
      detail: { before: recorded(before), after: recorded(next) },
    });
    if (!admission.ok) return admission;
    if (admission.value.outcome === 'waits') return ok(admission.value);
    const { admitted } = admission.value;
    await this.deps.settings.save(tx, next, admitted.authorId);
    const after = await this.deps.settings.read(tx);
    for (const { id, how } of standingsOf(before, after, admitted.alone))
      // People alone change these settings.
      await this.deps.settings.keepStanding(tx, { issuerId: id, how, personId: admitted.actor.id as PersonId });
    await this.deps.twoPersonRule.outdate(tx, admitted, {
      kind: 'sign_in',
      why: `Revision ${String(after.revision)} of the sign-in settings came into force, and this was a change to another one.`,
      base: () => ({ revision: after.revision }),
    });
    await this.deps.audit.record(tx, {
      action: 'issuer.changed',
      actor: admitted.actor,
      level: 'full_with_evidence',
      subject: { type: 'sign_in_settings', id: tx.tenantId },
      payload: { before: recorded(before), after: recorded(after), ...admitted.provenance },
    });
    return ok(done(after, admitted));
  }

  async #check(tenantId: TenantId, issuer: IssuerDescription): Promise<Result<void>> {
    const client = await this.deps.uow.run(tenantId, (tx) => issuerClient(tx, this.deps.vault, issuer));
    return client.ok ? this.deps.gateway.check(client.value) : client;
  }
}

const at = (index: number, failure: Failure): Failure => ({
  ...failure,
  kind: 'unprocessable',
  errors: [{ pointer: `/issuers/${String(index)}`, code: failure.code, message: failure.message }],
});

const recorded = (settings: WantedSettings & { readonly revision: number }) => ({
  revision: settings.revision,
  reauthenticate_after_minutes: settings.reauthenticateAfterMinutes,
  sign_in_required: settings.signInRequired,
  dormant_after_days: settings.dormantAfterDays,
  browser_session_minutes: settings.browserSessionMinutes,
  browser_session_idle_minutes: settings.browserSessionIdleMinutes,
  issuers: settings.issuers.map((issuer) => ({
    name: issuer.name,
    url: issuer.url,
    client_id: issuer.clientId,
    // A reference, which the log's masking would take for the secret.
    confidential: issuer.clientSecret !== null,
    algorithms: [...issuer.algorithms],
    roles_claim: issuer.rolesClaim,
    role_mappings: issuer.roleMappings.map(({ value, role }) => ({ value, role })),
    provision: issuer.provision,
    link_by_verified_email: issuer.linkByVerifiedEmail,
    bearer_scopes: [...issuer.bearerScopes],
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
    'Sign in at an issuer yourself before you require a sign-in of everybody: otherwise you could lock everybody out.',
  action: 'Save the issuers without demanding it, sign in by one of them that stays, then demand it.',
};

const noWayIn: Failure = {
  kind: 'conflict',
  code: 'issuer.last_way_in',
  message: 'The identity provider is the only way in, so without one nobody could come in.',
  action: 'Keep one, or let people in by passkeys again in the same change.',
};
