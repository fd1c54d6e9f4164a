import { IsNull } from 'typeorm';
import { v7 } from 'uuid';
import { DATABASE_CLOCK, rowsOf, sqlOf, type RowOf } from '#lib/database';
import { credentialEntity, personEntity } from '#lib/identity';
import type { CredentialId, PersonId, Tx } from '#lib/kernel';
import type { LinkedUser, SlackLinks } from '../application/slack.ports.js';
import { slackInstallationEntity, slackLinkEntity } from './slack.entity.js';

const LINK = slackLinkEntity.as('link');
const CREDENTIAL = credentialEntity.as('credential');
const INSTALLATION = slackInstallationEntity.as('installation');
const PERSON = personEntity.as('person');
const LINK_COLUMN = slackLinkEntity.column;
const CREDENTIAL_COLUMN = credentialEntity.column;

interface User {
  readonly team: string;
  readonly user: string;
}

const link = slackLinkEntity.all;
const LINKED = slackLinkEntity.pick('personId', 'slackUserId');
const TOKEN = credentialEntity.pick('tokenDigest');

/** A link holds while its credential does. */
const holds = `${LINK.endedAt} is null and ${CREDENTIAL.revokedAt} is null and ${CREDENTIAL.expiresAt} > clock_timestamp()`;
const joined = `slack_link link
  join credential on credential.tenant_id = link.tenant_id and ${CREDENTIAL.id} = ${LINK.credentialId}`;

/** Links of Slack users in PostgreSQL, with the credentials that they hold by. */
export class SqlSlackLinks implements SlackLinks {
  async credentialOf(tx: Tx, { team, user }: User): Promise<Uint8Array | null> {
    const [row] = await sqlOf(tx).query<object>(
      `select ${TOKEN.columns('credential')} from ${joined}
        where link.tenant_id = $1 and ${LINK.teamId} = $2 and ${LINK.slackUserId} = $3 and ${holds}`,
      [tx.tenantId, team, user],
    );
    return row === undefined ? null : TOKEN.row(row).tokenDigest;
  }

  async usersOf(
    tx: Tx,
    people: readonly PersonId[],
  ): Promise<readonly { readonly personId: PersonId; readonly user: string }[]> {
    if (people.length === 0) return [];
    const rows = await sqlOf(tx).query<object>(
      `select ${LINKED.columns('link')} from ${joined}
         join slack_installation installation
           on installation.tenant_id = link.tenant_id and ${INSTALLATION.teamId} = ${LINK.teamId}
         join person on person.tenant_id = link.tenant_id and ${PERSON.id} = ${LINK.personId} and ${PERSON.disabledAt} is null
        where link.tenant_id = $1 and ${LINK.personId} = any ($2::uuid[]) and ${holds}
        order by ${LINK.id}`,
      [tx.tenantId, people],
    );
    return rows.map((row) => LINKED.row(row)).map(({ personId, slackUserId: user }) => ({ personId, user }));
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
      `update slack_link link set ${LINK_COLUMN.endedAt} = clock_timestamp() from credential
        where link.tenant_id = $1 and ${LINK.teamId} = $2 and ${LINK.slackUserId} = $3 and ${LINK.endedAt} is null
          and credential.tenant_id = link.tenant_id and ${CREDENTIAL.id} = ${LINK.credentialId} and not (${holds})`,
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
      `select ${link.columns('link')} from ${joined} where link.tenant_id = $1 and ${LINK.personId} = $2 and ${holds}
        order by ${LINK.id}`,
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
      `update credential set ${CREDENTIAL_COLUMN.revokedAt} = clock_timestamp() from slack_link link
        where credential.tenant_id = $1 and ${CREDENTIAL.revokedAt} is null
          and link.tenant_id = credential.tenant_id and ${LINK.credentialId} = ${CREDENTIAL.id} and ${LINK.endedAt} is null`,
      [tx.tenantId],
    );
    return rowsOf(tx, slackLinkEntity).update({ endedAt: IsNull() }, { endedAt: DATABASE_CLOCK });
  }
}
