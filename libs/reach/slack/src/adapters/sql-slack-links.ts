import { IsNull } from 'typeorm';
import { v7 } from 'uuid';
import { DATABASE_CLOCK, rowsOf, sqlOf, type RowOf } from '#lib/database';
import type { CredentialId, PersonId, Tx } from '#lib/kernel';
import type { LinkedUser, SlackLinks } from '../application/slack.ports.js';
import { slackLinkEntity } from './slack.entity.js';

interface User {
  readonly team: string;
  readonly user: string;
}

const link = slackLinkEntity.all;

/** A link holds while its credential does. */
const holds = `link.ended_at is null and credential.revoked_at is null and credential.expires_at > clock_timestamp()`;
const joined = `slack_link link
  join credential on credential.tenant_id = link.tenant_id and credential.id = link.credential_id`;

/** Links of Slack users in PostgreSQL, with the credentials that they hold by. */
export class SqlSlackLinks implements SlackLinks {
  async credentialOf(tx: Tx, { team, user }: User): Promise<Uint8Array | null> {
    const [row] = await sqlOf(tx).query<{ token_digest: Uint8Array }>(
      `select credential.token_digest from ${joined}
        where link.tenant_id = $1 and link.team_id = $2 and link.slack_user_id = $3 and ${holds}`,
      [tx.tenantId, team, user],
    );
    return row?.token_digest ?? null;
  }

  async usersOf(
    tx: Tx,
    people: readonly PersonId[],
  ): Promise<readonly { readonly personId: PersonId; readonly user: string }[]> {
    if (people.length === 0) return [];
    const rows = await sqlOf(tx).query<{ person_id: PersonId; slack_user_id: string }>(
      `select link.person_id, link.slack_user_id from ${joined}
         join slack_installation installation
           on installation.tenant_id = link.tenant_id and installation.team_id = link.team_id
         join person on person.tenant_id = link.tenant_id and person.id = link.person_id and person.disabled_at is null
        where link.tenant_id = $1 and link.person_id = any ($2::uuid[]) and ${holds}
        order by link.id`,
      [tx.tenantId, people],
    );
    return rows.map((row) => ({ personId: row.person_id, user: row.slack_user_id }));
  }

  async writeCode(tx: Tx, digest: Uint8Array, user: string, lifetimeMs: number): Promise<void> {
    await sqlOf(tx).execute(
      `insert into slack_link_code (tenant_id, id, code_digest, slack_user_id, created_at, expires_at)
       values ($1, $2, $3, $4, clock_timestamp(), clock_timestamp() + $5 * interval '1 millisecond')`,
      [tx.tenantId, v7(), digest, user, lifetimeMs],
    );
  }

  async readCode(tx: Tx, digests: readonly Uint8Array[]): Promise<string | null> {
    const [row] = await sqlOf(tx).query<{ slack_user_id: string }>(
      `select slack_user_id from slack_link_code
        where tenant_id = $1 and code_digest = any ($2::bytea[]) and used_at is null and expires_at > clock_timestamp()`,
      [tx.tenantId, digests],
    );
    return row?.slack_user_id ?? null;
  }

  async useCode(tx: Tx, digests: readonly Uint8Array[]): Promise<string | null> {
    const [row] = await sqlOf(tx).query<{ slack_user_id: string }>(
      `update slack_link_code set used_at = clock_timestamp()
        where tenant_id = $1 and code_digest = any ($2::bytea[]) and used_at is null and expires_at > clock_timestamp()
        returning slack_user_id`,
      [tx.tenantId, digests],
    );
    return row?.slack_user_id ?? null;
  }

  async clear(tx: Tx, { team, user }: User): Promise<boolean> {
    await sqlOf(tx).execute(
      `update slack_link link set ended_at = clock_timestamp() from credential
        where link.tenant_id = $1 and link.team_id = $2 and link.slack_user_id = $3 and link.ended_at is null
          and credential.tenant_id = link.tenant_id and credential.id = link.credential_id and not (${holds})`,
      [tx.tenantId, team, user],
    );
    const live = { teamId: team, slackUserId: user, endedAt: IsNull() };
    return (await rowsOf(tx, slackLinkEntity).findOne(live)) === null;
  }

  async link(
    tx: Tx,
    { team, user, ...of }: User & { readonly personId: PersonId; readonly credentialId: CredentialId },
  ): Promise<void> {
    const row = { id: v7(), ...of, teamId: team, slackUserId: user, linkedAt: DATABASE_CLOCK, endedAt: null };
    await rowsOf(tx, slackLinkEntity).insert(row);
  }

  async mine(tx: Tx, personId: PersonId): Promise<readonly LinkedUser[]> {
    const rows = await sqlOf(tx).query<RowOf<typeof slackLinkEntity>>(
      `select ${link.columns('link')} from ${joined} where link.tenant_id = $1 and link.person_id = $2 and ${holds}
        order by link.id`,
      [tx.tenantId, personId],
    );
    return rows
      .map((row) => link.row(row))
      .map(({ slackUserId: userId, id, teamId, credentialId, linkedAt }) => ({
        id,
        teamId,
        userId,
        credentialId,
        linkedAt,
      }));
  }

  async endAll(tx: Tx): Promise<number> {
    const sql = sqlOf(tx);
    await sql.execute(
      `update credential set revoked_at = clock_timestamp() from slack_link link
        where credential.tenant_id = $1 and credential.revoked_at is null
          and link.tenant_id = credential.tenant_id and link.credential_id = credential.id and link.ended_at is null`,
      [tx.tenantId],
    );
    return sql.execute('update slack_link set ended_at = clock_timestamp() where tenant_id = $1 and ended_at is null', [
      tx.tenantId,
    ]);
  }
}
