import { v7 } from 'uuid';
import { z } from 'zod';
import { DATABASE_CLOCK, parsedValue, rowsOf, sqlOf, type RowOf, type SystemQuery } from '#lib/database';
import type { OnDuty } from '#lib/delivery';
import { personEntity } from '#lib/identity';
import type { CredentialId, PersonId, TenantId, Tx } from '#lib/kernel';
import { tenantEntity, type KeyWrapping, type WrappedBytes } from '#lib/tenancy';
import type {
  Installed,
  SlackApp,
  SlackInstallations,
  SlackSettings,
  SlackWorkspace,
} from '../application/slack.ports.js';
import {
  slackAppEntity,
  slackChannelEntity,
  slackInstallAttemptEntity,
  slackInstallationEntity,
} from './slack.entity.js';

const ATTEMPT_COLUMN = slackInstallAttemptEntity.column;
const NEW_ATTEMPT = slackInstallAttemptEntity.pick(
  'id',
  'stateDigest',
  'createdBy',
  'credentialId',
  'createdAt',
  'expiresAt',
  'reason',
);
const ATTEMPT = slackInstallAttemptEntity.as('attempt');
const PERSON = personEntity.as('person');
const INSTALLATION_COLUMN = slackInstallationEntity.column;
const NEW_INSTALLATION = slackInstallationEntity.pick(
  'id',
  'teamId',
  'teamName',
  'appId',
  'botUserId',
  'scopes',
  'keyId',
  'botTokenNonce',
  'botToken',
  'installedAt',
  'installedBy',
);
const APP = slackAppEntity.as('app');
const CHANNEL = slackChannelEntity.as('channel');

/** Secrets that stay opened in memory, at most. */
const MAX_OPENED = 1_000;

const workspace = slackInstallationEntity.pick(
  'teamId',
  'teamName',
  'appId',
  'botUserId',
  'keyId',
  'botTokenNonce',
  'botToken',
);
const attempt = slackInstallAttemptEntity.pick('createdBy', 'credentialId', 'reason');
const signing = slackAppEntity.pick('signingSecretNonce', 'signingSecret');

type App = RowOf<typeof slackAppEntity>;
type Signing = Pick<App, 'signingSecretNonce' | 'signingSecret'>;
/** Its app may be absent. */
type InstalledRow = RowOf<typeof slackInstallationEntity> & {
  readonly [Column in keyof Signing]: Signing[Column] | null;
} & { readonly appKeyId: string | null; readonly channels: unknown };

const channelsSchema = z.record(z.string(), z.string());

/** The tenant's app and workspace; their secrets are wrapped with tenant and purpose authenticated. */
export class SqlSlackInstallations implements SlackInstallations {
  readonly #opened = new Map<string, string>();
  /**
   * The row that a transaction has read: a delivery asks for the channels, and then for the workspace. A write drops it at its end,
   * since a read beside the write may have kept the row from before.
   */
  readonly #read = new WeakMap<Tx, Promise<InstalledRow | null>>();

  constructor(
    private readonly system: SystemQuery,
    private readonly wrapping: KeyWrapping,
    private readonly onDuty: OnDuty,
  ) {}

  async locate(app: string, team: string): Promise<TenantId | null> {
    const [row] = await this.system.call('slack_installation_of', app, team);
    return row?.tenantId ?? null;
  }

  async workspace(tx: Tx): Promise<SlackWorkspace | null> {
    const row = await this.#installed(tx);
    if (row === null) return null;
    const { teamId, teamName, appId, botUserId, appKeyId: keyId, signingSecretNonce, signingSecret: sealed } = row;
    if (keyId === null || signingSecretNonce === null || sealed === null) return null;
    const [botToken, signingSecret] = await Promise.all([
      this.#open(tx, `bot-token:${teamId}`, { keyId: row.keyId, nonce: row.botTokenNonce, ciphertext: row.botToken }),
      this.#openSigningSecret(tx, { keyId, signingSecretNonce, signingSecret: sealed }),
    ]);
    return { tenantId: tx.tenantId, teamId, teamName, appId, botUserId, botToken, signingSecret };
  }

  async signingSecret(tx: Tx): Promise<string | null> {
    const row = await rowsOf(tx, slackAppEntity).findOne({});
    return row === null ? null : this.#openSigningSecret(tx, row);
  }

  async app(tx: Tx): Promise<SlackApp | null> {
    const row = await rowsOf(tx, slackAppEntity).findOne({});
    return row === null ? null : this.#openApp(tx, row);
  }

  async lockApp(tx: Tx): Promise<{ readonly app: SlackApp; readonly writtenAt: number } | null> {
    // The row of the tenant: there may be no app yet.
    await rowsOf(tx, tenantEntity).findOne({ id: tx.tenantId }, { only: ['id'], lock: 'no key update' });
    const row = await rowsOf(tx, slackAppEntity).findOne({});
    return row === null ? null : { app: await this.#openApp(tx, row), writtenAt: row.updatedAt };
  }

  async saveApp(tx: Tx, app: SlackApp, by: PersonId): Promise<void> {
    const client = await this.wrapping.wrap(purpose(tx, 'client-secret'), Buffer.from(app.clientSecret));
    const signed = await this.wrapping.wrap(purpose(tx, 'signing-secret'), Buffer.from(app.signingSecret));
    if (client.keyId !== signed.keyId) throw new Error('the master key changed between two secrets; try again');
    await rowsOf(tx, slackAppEntity).insertOrUpdate(
      [],
      [
        'clientId',
        'keyId',
        'clientSecretNonce',
        'clientSecret',
        'signingSecretNonce',
        'signingSecret',
        'updatedAt',
        'updatedBy',
      ],
      {
        clientId: app.clientId,
        keyId: client.keyId,
        clientSecretNonce: client.nonce,
        clientSecret: client.ciphertext,
        signingSecretNonce: signed.nonce,
        signingSecret: signed.ciphertext,
        updatedAt: DATABASE_CLOCK,
        updatedBy: by,
      },
    );
    this.#read.delete(tx);
  }

  async beginInstall(
    tx: Tx,
    state: Uint8Array,
    by: { readonly personId: PersonId; readonly credentialId: CredentialId; readonly reason?: string },
    lifetimeMs: number,
  ): Promise<void> {
    await sqlOf(tx).execute(
      `insert into ${NEW_ATTEMPT.into}
       values ($1, $2, $3, $4, $5, clock_timestamp(), clock_timestamp() + $6 * interval '1 millisecond', $7)`,
      [tx.tenantId, v7(), state, by.personId, by.credentialId, lifetimeMs, by.reason ?? null],
    );
  }

  async locateInstall(
    states: readonly Uint8Array[],
  ): Promise<{ readonly tenantId: TenantId; readonly id: string } | null> {
    for (const state of states) {
      const [row] = await this.system.call('slack_install_attempt_by_digest', state);
      if (row !== undefined) return row;
    }
    return null;
  }

  async useInstall(tx: Tx, id: string) {
    const [row] = await sqlOf(tx).query<{ readonly displayName: string }>(
      `update slack_install_attempt attempt set ${ATTEMPT_COLUMN.usedAt} = clock_timestamp() from person
        where attempt.tenant_id = $1 and ${ATTEMPT.id} = $2 and ${ATTEMPT.usedAt} is null
          and ${ATTEMPT.expiresAt} > clock_timestamp()
          and person.tenant_id = attempt.tenant_id and ${PERSON.id} = ${ATTEMPT.createdBy}
        returning ${attempt.columns('attempt')}, ${PERSON.displayName} as "displayName"`,
      [tx.tenantId, id],
    );
    if (row === undefined) return null;
    const { createdBy: personId, reason, ...begun } = attempt.row(row);
    return { ...begun, personId, ...(reason === null ? {} : { reason }) };
  }

  async saveInstallation(tx: Tx, installed: Installed, by: PersonId): Promise<boolean> {
    const token = await this.wrapping.wrap(
      purpose(tx, `bot-token:${installed.teamId}`),
      Buffer.from(installed.botToken),
    );
    await this.removeInstallation(tx);
    // Another tenant may have the app in this workspace, so the key of the conflict has no tenant.
    const inserted = await sqlOf(tx).execute(
      `insert into ${NEW_INSTALLATION.into}
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, clock_timestamp(), $11)
       on conflict (${INSTALLATION_COLUMN.appId}, ${INSTALLATION_COLUMN.teamId}) do nothing`,
      [
        tx.tenantId,
        v7(),
        installed.teamId,
        installed.teamName,
        installed.appId,
        installed.botUserId,
        installed.scopes,
        token.keyId,
        token.nonce,
        token.ciphertext,
        by,
      ],
    );
    this.#read.delete(tx);
    return inserted === 1;
  }

  async removeInstallation(tx: Tx): Promise<void> {
    await rowsOf(tx, slackInstallationEntity).delete({});
    this.#read.delete(tx);
  }

  async channels(tx: Tx): Promise<Readonly<Record<string, string>> | null> {
    const row = await this.#installed(tx);
    return row === null
      ? null
      : parsedValue(channelsSchema, row.channels, { question: 'the channels of the Slack workspace' });
  }

  async settings(tx: Tx): Promise<SlackSettings> {
    const [app, installation, channels, onDuty] = await Promise.all([
      rowsOf(tx, slackAppEntity).findOne({}),
      rowsOf(tx, slackInstallationEntity).findOne({}),
      rowsOf(tx, slackChannelEntity).find({}, { order: { environment: 'asc' } }),
      this.onDuty.list(tx),
    ]);
    return {
      app: app === null ? null : { clientId: app.clientId },
      installation:
        installation === null
          ? null
          : { teamId: installation.teamId, teamName: installation.teamName, installedAt: installation.installedAt },
      channels: Object.fromEntries(channels.map(({ environment, channelId }) => [environment, channelId])),
      onDuty,
    };
  }

  async setChannels(tx: Tx, channels: Readonly<Record<string, string>>): Promise<void> {
    const table = rowsOf(tx, slackChannelEntity);
    await table.delete({});
    const rows = Object.entries(channels).map(([environment, channelId]) => ({
      environment,
      channelId,
      updatedAt: DATABASE_CLOCK,
    }));
    if (rows.length > 0) await table.insert(rows);
    this.#read.delete(tx);
  }

  setOnDuty(tx: Tx, people: readonly PersonId[]): Promise<void> {
    return this.onDuty.set(tx, people);
  }

  async namesOf(tx: Tx, people: readonly PersonId[]): Promise<ReadonlyMap<PersonId, string>> {
    const rows = await sqlOf(tx).query<{ id: PersonId; display_name: string }>(
      `select ${PERSON.id}, countersign_shown_name(person) as display_name from person where tenant_id = $1
         and ${PERSON.id} = any ($2::uuid[])`,
      [tx.tenantId, people],
    );
    return new Map(rows.map(({ id, display_name: name }) => [id, name]));
  }

  #installed(tx: Tx): Promise<InstalledRow | null> {
    const known = this.#read.get(tx);
    if (known !== undefined) return known;
    const rows = sqlOf(tx).query<InstalledRow>(
      `select ${workspace.columns('installation')}, ${APP.keyId} as "appKeyId", ${signing.columns('app')},
              coalesce((select jsonb_object_agg(${CHANNEL.environment}, ${CHANNEL.channelId})
                          from slack_channel channel where tenant_id = $1), '{}') as channels
         from slack_installation installation left join slack_app app on app.tenant_id = installation.tenant_id
        where installation.tenant_id = $1`,
      [tx.tenantId],
    );
    const reading = rows.then(([row]) => row ?? null);
    this.#read.set(tx, reading);
    return reading;
  }

  async #openApp(tx: Tx, row: App): Promise<SlackApp> {
    const { clientId, keyId, clientSecretNonce: nonce, clientSecret: ciphertext } = row;
    const [clientSecret, signingSecret] = await Promise.all([
      this.#open(tx, 'client-secret', { keyId, nonce, ciphertext }),
      this.#openSigningSecret(tx, row),
    ]);
    return { clientId, clientSecret, signingSecret };
  }

  #openSigningSecret(
    tx: Tx,
    { keyId, signingSecretNonce: nonce, signingSecret: ciphertext }: Pick<App, 'keyId' | keyof Signing>,
  ): Promise<string> {
    return this.#open(tx, 'signing-secret', { keyId, nonce, ciphertext });
  }

  /** A changed secret has another ciphertext, so an opened one is never out of date. */
  async #open(tx: Tx, what: string, { keyId, nonce, ciphertext }: WrappedBytes): Promise<string> {
    const sealed = Buffer.concat([nonce, ciphertext]).toString('base64');
    const version = `${purpose(tx, what)} ${keyId} ${sealed}`;
    const known = this.#opened.get(version);
    if (known !== undefined) return known;
    const plain = await this.wrapping.unwrap(purpose(tx, what), { keyId, nonce, ciphertext });
    const secret = Buffer.from(plain).toString('utf8');
    const [oldest] = this.#opened.keys();
    if (oldest !== undefined && this.#opened.size >= MAX_OPENED) this.#opened.delete(oldest);
    this.#opened.set(version, secret);
    return secret;
  }
}

const purpose = ({ tenantId }: Tx, what: string): string => `countersign:slack:v1:${tenantId}:${what}`;
