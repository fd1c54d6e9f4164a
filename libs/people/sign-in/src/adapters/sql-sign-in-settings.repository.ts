import { IsNull } from 'typeorm';
import { DATABASE_CLOCK, rowsOf, sqlOf, type RowOf } from '#lib/database';
import { sealedStanding, BROWSER_SESSION_IDLE_MS } from '#lib/identity';
import { newId, type PersonId, type RowSeals, type SealedRow, type Tx } from '#lib/kernel';
import { tenantEntity } from '#lib/tenancy';
import type { SignInSettingsRepository } from '../application/sign-in.ports.js';
import {
  DEFAULT_REAUTHENTICATE_AFTER_MINUTES,
  type Issuer,
  type IssuerDescription,
  type SignInSettings,
} from '../domain/issuer.js';
import type { IssuerStanding } from '../domain/issuer-standing.js';
import { DEFAULT_DORMANT_AFTER_DAYS } from '../domain/passkey-way.js';
import { BROWSER_SESSION_LIFETIME_MS } from '../domain/browser-session.js';
import { issuerEntity, issuerStandingEntity, signInSettingsEntity } from './sign-in.entity.js';

const COLUMN = signInSettingsEntity.column;
const NEW_SETTINGS = signInSettingsEntity.pick(
  'revision',
  'reauthenticateAfterMinutes',
  'signInRequired',
  'browserSessionMinutes',
  'browserSessionIdleMinutes',
  'dormantAfterDays',
  'updatedAt',
  'updatedBy',
  'signInRequiredSince',
);
const SETTINGS = signInSettingsEntity.as('sign_in_settings');

type IssuerRow = RowOf<typeof issuerEntity>;

/** All of an issuer but whether it is in service. */
const sealedIssuer = (tx: Tx, id: string, issuer: IssuerDescription): SealedRow => ({
  table: 'issuer',
  tenantId: tx.tenantId,
  id,
  columns: {
    issuer_url: issuer.url,
    client_id: issuer.clientId,
    client_secret: issuer.clientSecret,
    algorithms: [...issuer.algorithms],
    extra_scopes: [...issuer.extraScopes],
    roles_claim: issuer.rolesClaim,
    role_mappings: issuer.roleMappings.map(({ value, role }) => ({ value, role })),
    provision: issuer.provision,
    link_by_verified_email: issuer.linkByVerifiedEmail,
    bearer_scopes: [...issuer.bearerScopes],
  },
});

/** How people sign in. An issuer that Countersign did not write down is reported, and stands in no list. */
export class SqlSignInSettingsRepository implements SignInSettingsRepository {
  constructor(private readonly seals: RowSeals) {}

  async read(tx: Tx): Promise<SignInSettings> {
    const row = await rowsOf(tx, signInSettingsEntity).findOne({});
    const issuers = await rowsOf(tx, issuerEntity).find(
      { disabledAt: IsNull() },
      { order: { createdAt: 'asc', id: 'asc' } },
    );
    return {
      revision: row?.revision ?? 0,
      reauthenticateAfterMinutes: row?.reauthenticateAfterMinutes ?? DEFAULT_REAUTHENTICATE_AFTER_MINUTES,
      signInRequired: row?.signInRequired ?? false,
      dormantAfterDays: row?.dormantAfterDays ?? DEFAULT_DORMANT_AFTER_DAYS,
      browserSessionMinutes: row?.browserSessionMinutes ?? BROWSER_SESSION_LIFETIME_MS / 60_000,
      browserSessionIdleMinutes: row?.browserSessionIdleMinutes ?? BROWSER_SESSION_IDLE_MS / 60_000,
      issuers: await this.#authentic(tx, issuers),
    };
  }

  async lock(tx: Tx): Promise<SignInSettings> {
    // The tenant's row stands for settings that are not there yet.
    await rowsOf(tx, tenantEntity).findOne({ id: tx.tenantId }, { only: ['id'], lock: 'no key update' });
    return this.read(tx);
  }

  async save(
    tx: Tx,
    settings: Omit<SignInSettings, 'issuers'> & { readonly issuers: readonly IssuerDescription[] },
    by: PersonId,
  ): Promise<void> {
    await sqlOf(tx).execute(
      `insert into ${NEW_SETTINGS.into}
       values ($1, $2, $3, $4, $6, $7, $8, clock_timestamp(), $5, case when $4 then clock_timestamp() end)
       on conflict (tenant_id) do update set ${COLUMN.revision} = excluded.${COLUMN.revision},
         ${COLUMN.updatedAt} = excluded.${COLUMN.updatedAt},
         ${COLUMN.reauthenticateAfterMinutes} = excluded.${COLUMN.reauthenticateAfterMinutes},
         ${COLUMN.signInRequired} = excluded.${COLUMN.signInRequired},
           ${COLUMN.browserSessionMinutes} = excluded.${COLUMN.browserSessionMinutes},
         ${COLUMN.browserSessionIdleMinutes} = excluded.${COLUMN.browserSessionIdleMinutes},
           ${COLUMN.dormantAfterDays} = excluded.${COLUMN.dormantAfterDays},
         ${COLUMN.updatedBy} = excluded.${COLUMN.updatedBy},
         ${COLUMN.signInRequiredSince} = case when excluded.${COLUMN.signInRequired}
           then coalesce(${SETTINGS.signInRequiredSince}, excluded.${COLUMN.signInRequiredSince}) end`,
      [
        tx.tenantId,
        settings.revision,
        settings.reauthenticateAfterMinutes,
        settings.signInRequired,
        by,
        settings.browserSessionMinutes,
        settings.browserSessionIdleMinutes,
        settings.dormantAfterDays,
      ],
    );
    // All of them out of service first, so that names can be given to others.
    const issuers = rowsOf(tx, issuerEntity);
    await issuers.update({ disabledAt: IsNull() }, { disabledAt: DATABASE_CLOCK });
    for (const issuer of settings.issuers) {
      // The tenant's row is locked, so no other transaction makes one for this address meanwhile.
      const known = await issuers.findOne({ issuerUrl: issuer.url }, { only: ['id'] });
      const id = known?.id ?? newId();
      const seal = await this.seals.seal(sealedIssuer(tx, id, issuer));
      const row = { ...changingColumns(issuer), updatedAt: DATABASE_CLOCK, disabledAt: null, seal };
      if (known === null) await issuers.insert({ ...row, id, issuerUrl: issuer.url, createdAt: DATABASE_CLOCK });
      else await issuers.update({ id }, row);
    }
  }

  async keepStanding(
    tx: Tx,
    { issuerId, how, personId }: { issuerId: string; how: IssuerStanding; personId: PersonId },
  ): Promise<void> {
    const id = newId();
    const seal = await this.seals.seal(sealedStanding(tx.tenantId, { id, issuerId, how, personId }));
    await rowsOf(tx, issuerStandingEntity).insert({ id, issuerId, how, personId, since: DATABASE_CLOCK, seal });
  }

  async standing(tx: Tx, issuerId: string): Promise<{ how: IssuerStanding; personId: PersonId } | null> {
    const row = await rowsOf(tx, issuerStandingEntity).findOne(
      { issuerId },
      { order: { since: 'desc', id: 'desc' }, limit: 1 },
    );
    return row === null ? null : { how: row.how, personId: row.personId };
  }

  async issuer(tx: Tx, id: string): Promise<Issuer | null> {
    const rows = await rowsOf(tx, issuerEntity).find({ id, disabledAt: IsNull() });
    return (await this.#authentic(tx, rows))[0] ?? null;
  }

  async #authentic(tx: Tx, rows: readonly IssuerRow[]): Promise<readonly Issuer[]> {
    const authentic: Issuer[] = [];
    for (const row of rows) {
      const issuer = toIssuer(row);
      if (await this.seals.holds(sealedIssuer(tx, row.id, issuer), row.seal)) authentic.push(issuer);
    }
    return authentic;
  }
}

/** All but the address, by which people are known. */
const changingColumns = (issuer: IssuerDescription) => ({
  name: issuer.name,
  displayName: issuer.displayName,
  clientId: issuer.clientId,
  clientSecret: issuer.clientSecret,
  algorithms: issuer.algorithms,
  extraScopes: issuer.extraScopes,
  rolesClaim: issuer.rolesClaim,
  roleMappings: issuer.roleMappings.map(({ value, role }) => ({ value, role })),
  provision: issuer.provision,
  linkByVerifiedEmail: issuer.linkByVerifiedEmail,
  bearerScopes: issuer.bearerScopes,
});

const toIssuer = (row: IssuerRow): Issuer => ({
  id: row.id,
  name: row.name,
  displayName: row.displayName,
  url: row.issuerUrl,
  clientId: row.clientId,
  clientSecret: row.clientSecret,
  algorithms: row.algorithms,
  extraScopes: row.extraScopes,
  rolesClaim: row.rolesClaim,
  roleMappings: row.roleMappings,
  provision: row.provision,
  linkByVerifiedEmail: row.linkByVerifiedEmail,
  bearerScopes: row.bearerScopes,
});
