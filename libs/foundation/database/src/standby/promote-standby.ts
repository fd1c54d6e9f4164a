import { Client } from 'pg';
import { fail } from '#lib/kernel';

import { readServerState } from './server-state.js';

/** How long a promotion may take: it replays the log that was received. */
const PROMOTED_WITHIN_S = 60;

/**
 * Makes a standby the primary: of several, the one that has most of the log. It commits without waiting for another standby from
 * then on, since it has none yet.
 *
 * @param urls the servers, by a login that may promote: the superuser; or one with EXECUTE on pg_promote, if no synchronous standbys are set.
 * @param force also if a primary seems to live; both would take writes.
 * @returns the host that was promoted.
 * @throws {FailureError} `standby.none`, `standby.primary_alive`, `standby.not_promoted`.
 */
export async function promoteStandby(urls: readonly string[], force: boolean): Promise<string> {
  const states = await Promise.all(urls.map(async (url) => ({ url, state: await readServerState(url) })));
  const alive = states.find(({ state }) => state.role === 'primary' || (state.role === 'standby' && state.receives));
  if (alive !== undefined && !force) {
    fail({
      kind: 'conflict',
      code: 'standby.primary_alive',
      message:
        alive.state.role === 'primary'
          ? `${alive.state.host} takes writes.`
          : `${alive.state.host} receives the log of a primary that lives.`,
      action:
        'Stop the primary first, so that nothing is written to it any more. If it cannot be reached, say --force.',
    });
  }
  let best: { readonly url: string; readonly host: string; readonly received: bigint } | null = null;
  for (const { url, state } of states) {
    if (state.role !== 'standby' || (best !== null && state.received <= best.received)) continue;
    best = { url, host: state.host, received: state.received };
  }
  if (best === null) {
    fail({
      kind: 'unavailable',
      code: 'standby.none',
      message: `No standby answers: ${states.map(({ state }) => stateInWords(state)).join('; ')}.`,
      action: 'Start the standby (countersign standby start), then promote it.',
    });
  }
  await promote(best.url, best.host);
  return best.host;
}

const stateInWords = (state: Awaited<ReturnType<typeof readServerState>>): string =>
  state.role === 'silent' ? `${state.host} is silent (${state.why})` : `${state.host} is a ${state.role}`;

async function promote(url: string, host: string): Promise<void> {
  const client = new Client({ connectionString: url, application_name: 'countersign-standby' });
  client.on('error', () => undefined);
  await client.connect();
  try {
    // Copied from the primary, it would wait for itself. Only then has the login to be one that may change it.
    const waits = await client.query("select where current_setting('synchronous_standby_names') <> ''");
    if (waits.rowCount !== 0) {
      await client.query(`alter system set synchronous_standby_names = ''`);
      await client.query('select pg_reload_conf()');
    }
    const { rows } = await client.query<{ promoted: boolean }>('select pg_promote(true, $1) as promoted', [
      PROMOTED_WITHIN_S,
    ]);
    if (rows[0]?.promoted === true) return;
  } finally {
    await client.end();
  }
  fail({
    kind: 'unavailable',
    code: 'standby.not_promoted',
    message: `${host} was told to become the primary, and is not after ${String(PROMOTED_WITHIN_S)} s.`,
    action: 'It may still replay its log: look with countersign standby status, and at its server.log.',
  });
}
