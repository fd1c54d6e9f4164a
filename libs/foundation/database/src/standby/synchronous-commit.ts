import { Client, escapeIdentifier, escapeLiteral } from 'pg';
import { fail } from '#lib/kernel';

import { readServerState, type ServerState } from './server-state.js';

type Primary = Extract<ServerState, { role: 'primary' }> & { readonly url: string };

/**
 * Lets every commit wait until a connected standby has it on its disk, or lets commits wait for none.
 *
 * @param urls of the primary, or of it and its standbys, by a superuser.
 * @returns the standbys that commits wait for; one of them suffices.
 * @throws {FailureError} `standby.none_streams`: commits would wait at once. `standby.no_primary`.
 */
export async function setSynchronousCommit(urls: readonly string[], on: boolean): Promise<readonly string[]> {
  const states = await Promise.all(urls.map(async (url) => ({ ...(await readServerState(url)), url })));
  const state = states
    .filter((each) => each.role === 'primary')
    // A former primary that still runs has an older timeline.
    .reduce<Primary | null>(
      (newest, each) => (newest === null || each.timeline > newest.timeline ? each : newest),
      null,
    );
  if (state === null) {
    const why = states.map(
      (each) => `${each.host} ${each.role === 'silent' ? `is silent (${each.why})` : 'is a standby'}`,
    );
    return fail({
      kind: 'conflict',
      code: 'standby.no_primary',
      message: `No server takes writes: ${why.join('; ')}.`,
      action: 'Name the folder of the primary with --primary, or its host in COUNTERSIGN_MIGRATE_URL.',
    });
  }
  // Names, never all that connect: the subscriber of a tenant's move would count as a standby.
  const names = on ? state.standbys.filter((each) => each.state === 'streaming').map(({ name }) => name) : [];
  if (on && names.length === 0) {
    fail({
      kind: 'conflict',
      code: 'standby.none_streams',
      message: 'No standby receives the log, so that every commit would wait for one.',
      action: 'Start the standby (countersign standby start), and look with countersign standby status.',
    });
  }
  const waited = on ? `ANY 1 (${names.map(escapeIdentifier).join(', ')})` : '';
  const admin = new Client({ connectionString: state.url, application_name: 'countersign-standby' });
  await admin.connect();
  try {
    await admin.query(`alter system set synchronous_standby_names = ${escapeLiteral(waited)}`);
    await admin.query('select pg_reload_conf()');
  } finally {
    await admin.end();
  }
  return names;
}
