import type { AutonomyChange } from '#lib/api-schemas';
import type { CheckState } from './yaml-editor.js';

/** What the API says that a draft would do. */
export type DryRun =
  CheckState | { readonly state: 'unchanged' } | { readonly state: 'valid'; readonly change: AutonomyChange };
