import { Client, escapeIdentifier, escapeLiteral } from 'pg';
import { fail } from '#lib/kernel';

import { readServerState } from './server-state.js';

/**
 * Lets every commit wait until one of the connected standbys has it on its disk, or lets commits wait for none.
 *
 * @param url of the primary, by a superuser.
 * @returns the standbys that commits wait for; one of them suffices.
 * @throws {FailureError} `standby.none_streams`: commits would wait at once. `standby.no_primary`.
 */
export async function setSynchronousCommit(url: string, on: boolean): Promise<readonly string[]> {
  const state = await readServerState(url);
  if (state.role !== 'primary') {
    fail({
      kind: 'conflict',
      code: 'standby.no_primary',
      message: `${state.host} is no primary${state.role === 'silent' ? `: ${state.why}` : ', but a standby'}.`,
      action: 'Name the folder of the primary with --primary.',
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
  const admin = new Client({ connectionString: url, application_name: 'countersign-standby' });
  await admin.connect();
  try {
    await admin.query(`alter system set synchronous_standby_names = ${escapeLiteral(waited)}`);
    await admin.query('select pg_reload_conf()');
  } finally {
    await admin.end();
  }
  return names;
}
