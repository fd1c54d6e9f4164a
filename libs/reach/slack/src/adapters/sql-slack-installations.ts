import { v7 } from 'uuid';
import { sqlOf, type SystemQuery } from '#lib/database';
import type { OnDuty } from '#lib/delivery';
import type { CredentialId, PersonId, TenantId, Tx } from '#lib/kernel';
import type { KeyWrapping } from '#lib/tenancy';
import type {
  Installed,
  SlackApp,
  SlackInstallations,
  SlackSettings,
  SlackWorkspace,
} from '../application/slack.ports.js';
import { epochMs, toMs } from './epoch-ms.js';

interface Sealed {
  readonly key_id: string;
  readonly nonce: Uint8Array;
  readonly ciphertext: Uint8Array;
}

interface AppRow {
  readonly client_id: string;
  readonly key_id: string;
  readonly client_secret_nonce: Uint8Array;
  readonly client_secret: Uint8Array;
  readonly signing_secret_nonce: Uint8Array;
  readonly signing_secret: Uint8Array;
}

interface WorkspaceRow {
  readonly team_id: string;
  readonly team_name: string;
  readonly app_id: string;
  readonly bot_user_id: string;
  readonly key_id: string;
  readonly bot_token_nonce: Uint8Array;
  readonly bot_token: Uint8Array;
  readonly app_key_id: string;
  readonly signing_secret_nonce: Uint8Array;
  readonly signing_secret: Uint8Array;
}

/** Secrets that stay opened in memory, at most. */
const MAX_OPENED = 1_000;

const appColumns = 'client_id, key_id, client_secret_nonce, client_secret, signing_secret_nonce, signing_secret';

/** The tenant's app and workspace; their secrets are wrapped with tenant and purpose authenticated. */
export class SqlSlackInstallations implements SlackInstallations {
  private readonly opened = new Map<string, string>();

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
    const [row] = await sqlOf(tx).query<WorkspaceRow>(
      `select installation.team_id, installation.team_name, installation.app_id, installation.bot_user_id,
              installation.key_id, installation.bot_token_nonce, installation.bot_token,
              app.key_id as app_key_id, app.signing_secret_nonce, app.signing_secret
         from slack_installation installation join slack_app app on app.tenant_id = installation.tenant_id
        where installation.tenant_id = $1`,
      [tx.tenantId],
    );
    if (row === undefined) return null;
    const [botToken, signingSecret] = await Promise.all([
      this.open(tx, `bot-token:${row.team_id}`, {
        key_id: row.key_id,
        nonce: row.bot_token_nonce,
        ciphertext: row.bot_token,
      }),
      this.open(tx, 'signing-secret', {
        key_id: row.app_key_id,
        nonce: row.signing_secret_nonce,
        ciphertext: row.signing_secret,
      }),
    ]);
    return {
      tenantId: tx.tenantId,
      teamId: row.team_id,
      teamName: row.team_name,
      appId: row.app_id,
      botUserId: row.bot_user_id,
      botToken,
      signingSecret,
    };
  }

  async signingSecret(tx: Tx): Promise<string | null> {
    const [row] = await sqlOf(tx).query<Pick<AppRow, 'key_id' | 'signing_secret_nonce' | 'signing_secret'>>(
      'select key_id, signing_secret_nonce, signing_secret from slack_app where tenant_id = $1',
      [tx.tenantId],
    );
    if (row === undefined) return null;
    const { key_id, signing_secret_nonce: nonce, signing_secret: ciphertext } = row;
    return this.open(tx, 'signing-secret', { key_id, nonce, ciphertext });
  }

  async app(tx: Tx): Promise<SlackApp | null> {
    const [row] = await sqlOf(tx).query<AppRow>(`select ${appColumns} from slack_app where tenant_id = $1`, [
      tx.tenantId,
    ]);
    if (row === undefined) return null;
    const { key_id } = row;
    return {
      clientId: row.client_id,
      clientSecret: await this.open(tx, 'client-secret', {
        key_id,
        nonce: row.client_secret_nonce,
        ciphertext: row.client_secret,
      }),
      signingSecret: await this.open(tx, 'signing-secret', {
        key_id,
        nonce: row.signing_secret_nonce,
        ciphertext: row.signing_secret,
      }),
    };
  }

  async lockApp(tx: Tx): Promise<{ readonly app: SlackApp; readonly writtenAt: number } | null> {
    const sql = sqlOf(tx);
    // The tenant's row: there need not be an app yet.
    await sql.query('select id from tenant where id = $1 for no key update', [tx.tenantId]);
    const [row] = await sql.query<{ written_at: string }>(
      `select ${epochMs('updated_at')} as written_at from slack_app where tenant_id = $1`,
      [tx.tenantId],
    );
    const app = await this.app(tx);
    return row === undefined || app === null ? null : { app, writtenAt: toMs(row.written_at) };
  }

  async saveApp(tx: Tx, app: SlackApp, by: PersonId): Promise<void> {
    const client = await this.wrapping.wrap(purpose(tx, 'client-secret'), Buffer.from(app.clientSecret));
    const signing = await this.wrapping.wrap(purpose(tx, 'signing-secret'), Buffer.from(app.signingSecret));
    if (client.keyId !== signing.keyId) throw new Error('the master key changed between two secrets; try again');
    await sqlOf(tx).execute(
      `insert into slack_app (tenant_id, ${appColumns}, updated_at, updated_by)
       values ($1, $2, $3, $4, $5, $6, $7, clock_timestamp(), $8)
       on conflict (tenant_id) do update set client_id = excluded.client_id, key_id = excluded.key_id,
         client_secret_nonce = excluded.client_secret_nonce, client_secret = excluded.client_secret,
         signing_secret_nonce = excluded.signing_secret_nonce, signing_secret = excluded.signing_secret,
         updated_at = excluded.updated_at, updated_by = excluded.updated_by`,
      [tx.tenantId, app.clientId, client.keyId, client.nonce, client.ciphertext, signing.nonce, signing.ciphertext, by],
    );
  }

  async beginInstall(
    tx: Tx,
    state: Uint8Array,
    by: { readonly personId: PersonId; readonly credentialId: CredentialId; readonly reason?: string },
    lifetimeMs: number,
  ): Promise<void> {
    await sqlOf(tx).execute(
      `insert into slack_install_attempt (tenant_id, id, state_digest, created_by, credential_id, created_at, expires_at, reason)
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
    const [row] = await sqlOf(tx).query<{
      created_by: PersonId;
      credential_id: CredentialId | null;
      display_name: string;
      reason: string | null;
    }>(
      `update slack_install_attempt attempt set used_at = clock_timestamp() from person
        where attempt.tenant_id = $1 and attempt.id = $2 and attempt.used_at is null
          and attempt.expires_at > clock_timestamp()
          and person.tenant_id = attempt.tenant_id and person.id = attempt.created_by
        returning attempt.created_by, attempt.credential_id, person.display_name, attempt.reason`,
      [tx.tenantId, id],
    );
    if (row === undefined || row.credential_id === null) return null;
    return {
      personId: row.created_by,
      credentialId: row.credential_id,
      displayName: row.display_name,
      ...(row.reason === null ? {} : { reason: row.reason }),
    };
  }

  async saveInstallation(tx: Tx, installed: Installed, by: PersonId): Promise<boolean> {
    const token = await this.wrapping.wrap(
      purpose(tx, `bot-token:${installed.teamId}`),
      Buffer.from(installed.botToken),
    );
    const sql = sqlOf(tx);
    await sql.execute('delete from slack_installation where tenant_id = $1', [tx.tenantId]);
    const inserted = await sql.execute(
      `insert into slack_installation (tenant_id, id, team_id, team_name, app_id, bot_user_id, scopes, key_id,
         bot_token_nonce, bot_token, installed_at, installed_by)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, clock_timestamp(), $11)
       on conflict (app_id, team_id) do nothing`,
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
    return inserted === 1;
  }

  async removeInstallation(tx: Tx): Promise<void> {
    await sqlOf(tx).execute('delete from slack_installation where tenant_id = $1', [tx.tenantId]);
  }

  async channels(tx: Tx): Promise<Readonly<Record<string, string>> | null> {
    const [row] = await sqlOf(tx).query<{ channels: Readonly<Record<string, string>> }>(
      `select coalesce((select jsonb_object_agg(environment, channel_id) from slack_channel where tenant_id = $1), '{}') as channels
         from slack_installation where tenant_id = $1`,
      [tx.tenantId],
    );
    return row?.channels ?? null;
  }

  async settings(tx: Tx): Promise<SlackSettings> {
    const sql = sqlOf(tx);
    const [[app], [installation], channels, onDuty] = await Promise.all([
      sql.query<{ client_id: string }>('select client_id from slack_app where tenant_id = $1', [tx.tenantId]),
      sql.query<{ team_id: string; team_name: string; installed_at: string }>(
        `select team_id, team_name, ${epochMs('installed_at')} as installed_at from slack_installation where tenant_id = $1`,
        [tx.tenantId],
      ),
      sql.query<{ environment: string; channel_id: string }>(
        'select environment, channel_id from slack_channel where tenant_id = $1 order by environment',
        [tx.tenantId],
      ),
      this.onDuty.list(tx),
    ]);
    return {
      app: app === undefined ? null : { clientId: app.client_id },
      installation:
        installation === undefined
          ? null
          : {
              teamId: installation.team_id,
              teamName: installation.team_name,
              installedAt: toMs(installation.installed_at),
            },
      channels: Object.fromEntries(channels.map((row) => [row.environment, row.channel_id])),
      onDuty,
    };
  }

  async setChannels(tx: Tx, channels: Readonly<Record<string, string>>): Promise<void> {
    const sql = sqlOf(tx);
    await sql.execute('delete from slack_channel where tenant_id = $1', [tx.tenantId]);
    await sql.execute(
      `insert into slack_channel (tenant_id, environment, channel_id, updated_at)
       select $1, wanted.environment, wanted.channel, clock_timestamp()
         from unnest($2::text[], $3::text[]) wanted (environment, channel)`,
      [tx.tenantId, Object.keys(channels), Object.values(channels)],
    );
  }

  setOnDuty(tx: Tx, people: readonly PersonId[]): Promise<void> {
    return this.onDuty.set(tx, people);
  }

  async namesOf(tx: Tx, people: readonly PersonId[]): Promise<ReadonlyMap<PersonId, string>> {
    const rows = await sqlOf(tx).query<{ id: PersonId; display_name: string }>(
      'select id, countersign_shown_name(person) as display_name from person where tenant_id = $1 and id = any ($2::uuid[])',
      [tx.tenantId, people],
    );
    return new Map(rows.map(({ id, display_name: name }) => [id, name]));
  }

  /** A changed secret has another ciphertext, so an opened one is never out of date. */
  private async open(tx: Tx, what: string, { key_id: keyId, nonce, ciphertext }: Sealed): Promise<string> {
    const sealed = Buffer.concat([nonce, ciphertext]).toString('base64');
    const version = `${purpose(tx, what)} ${keyId} ${sealed}`;
    const known = this.opened.get(version);
    if (known !== undefined) return known;
    const plain = await this.wrapping.unwrap(purpose(tx, what), { keyId, nonce, ciphertext });
    const secret = Buffer.from(plain).toString('utf8');
    const [oldest] = this.opened.keys();
    if (oldest !== undefined && this.opened.size >= MAX_OPENED) this.opened.delete(oldest);
    this.opened.set(version, secret);
    return secret;
  }
}

const purpose = ({ tenantId }: Tx, what: string): string => `countersign:slack:v1:${tenantId}:${what}`;
