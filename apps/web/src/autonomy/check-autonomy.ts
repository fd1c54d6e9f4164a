import type { AutonomyChange } from '#lib/contracts';
import { api } from '../api/client.js';
import type { DryRun } from './dry-run.js';
import type { CheckDocument } from './yaml-editor.js';

/** Asks the API what a draft would change, for the editor. */
export const checkAutonomy =
  (etag: string | null, tell: (answer: DryRun) => void): CheckDocument =>
  async (text) => {
    const headers: Record<string, string> = etag === null ? {} : { 'if-match': etag };
    const change = await api.put<AutonomyChange>('/v1/autonomy?dry_run=true', text, headers);
    tell(change.changed ? { state: 'valid', change } : { state: 'unchanged' });
    return change.warnings;
  };
