import { isWaiting } from '#lib/client';
import { api } from '../api/client.js';
import type { DryRun } from './dry-run.js';
import type { CheckDocument } from '../components/yaml-editor.js';

/** Asks the API about the effect of a draft, for the editor. */
export const checkAutonomy =
  (etag: string | null, tell: (answer: DryRun) => void): CheckDocument =>
  async (text) => {
    const change = await api.put('/v1/autonomy', {
      yaml: text,
      query: { dry_run: 'true' },
      ...(etag === null ? {} : { ifMatch: etag }),
    });
    // A dry run changes nothing, so nothing waits.
    if (isWaiting(change)) return { remarks: [], tell: () => undefined };
    return {
      remarks: change.warnings,
      tell: () => {
        tell(change.changed ? { state: 'valid', change } : { state: 'unchanged' });
      },
    };
  };
