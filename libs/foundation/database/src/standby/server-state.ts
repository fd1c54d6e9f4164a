import { Client } from 'pg';

/** A standby as its primary sees it. */
export interface ConnectedStandby {
  readonly name: string;
  /** `streaming` is the one that is up to date; `catchup` and others come before it. */
  readonly state: string;
  /** Whether commits wait for it. */
  readonly synchronous: boolean;
  /** Bytes of the log that it has not written to its disk yet. */
  readonly behindBytes: number;
}

/** A server of the pair, as it tells of itself. */
export type ServerState =
  | { readonly host: string; readonly role: 'silent'; readonly why: string }
  | {
      readonly host: string;
      readonly role: 'primary';
      readonly timeline: number;
      readonly standbys: readonly ConnectedStandby[];
      /** The names that commits wait for; empty if they wait for none. */
      readonly synchronousNames: string;
    }
  | {
      readonly host: string;
      readonly role: 'standby';
      /** Whether it receives the log now: then its primary lives. */
      readonly receives: boolean;
      /** The position up to which it has the log. */
      readonly received: bigint;
      /** How old the last change is that it shows, in seconds; null if it shows none yet. */
      readonly lagSeconds: number | null;
    };

const ANSWER_MS = 3_000;

/** @param url the address of one server, by a login that may read its statistics. */
export async function readServerState(url: string): Promise<ServerState> {
  const { host } = new URL(url);
  const client = new Client({
    connectionString: url,
    application_name: 'countersign-standby',
    connectionTimeoutMillis: ANSWER_MS,
    query_timeout: ANSWER_MS,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ standby: boolean }>('select pg_is_in_recovery() as standby');
    return rows[0]?.standby === true ? await asStandby(client, host) : await asPrimary(client, host);
  } catch (error) {
    return { host, role: 'silent', why: error instanceof Error ? error.message : String(error) };
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function asPrimary(client: Client, host: string): Promise<ServerState> {
  const { rows } = await client.query<{ timeline: string; names: string }>(
    `select substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) as timeline,
       current_setting('synchronous_standby_names') as names`,
  );
  const standbys = await client.query<{ name: string; state: string; sync: boolean; behind: string }>(
    `select application_name as name, state, sync_state in ('sync', 'quorum') as sync,
       coalesce(pg_wal_lsn_diff(pg_current_wal_lsn(), flush_lsn), 0)::bigint as behind
       from pg_stat_replication where application_name like 'standby\\_%' order by 1`,
  );
  return {
    ...{ host, role: 'primary', synchronousNames: rows[0]?.names ?? '' },
    timeline: Number.parseInt(rows[0]?.timeline ?? '0', 16),
    standbys: standbys.rows.map(({ name, state, sync, behind }) => ({
      ...{ name, state, synchronous: sync },
      behindBytes: Math.max(0, Number(behind)),
    })),
  };
}

async function asStandby(client: Client, host: string): Promise<ServerState> {
  const { rows } = await client.query<{ receives: boolean; received: string; lag: string | null }>(
    `select exists (select from pg_stat_wal_receiver where status = 'streaming') as receives,
       pg_wal_lsn_diff(greatest(pg_last_wal_receive_lsn(), pg_last_wal_replay_lsn()), '0/0')::text as received,
       extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp())::text as lag`,
  );
  const [row] = rows;
  return {
    ...{ host, role: 'standby', receives: row?.receives === true, received: BigInt(row?.received ?? '0') },
    lagSeconds: row?.lag === null || row === undefined ? null : Number(row.lag),
  };
}
