import type { Actor } from '#lib/kernel';
import type { Runner } from '../domain/runner.js';

/** A runner as the audit log names it: a part of the system that acted by itself. */
export const runnerActor = ({ id, name }: Pick<Runner, 'id' | 'name'>): Actor => ({
  kind: 'system',
  id: `runner:${id}`,
  display_name: `runner ${name}`,
  credential_id: null,
  on_behalf_of: null,
});
