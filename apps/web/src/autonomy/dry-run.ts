import type { AutonomyChange } from '#lib/api-schemas';
import type { CheckState } from '../components/yaml-editor.js';

/** The effect of a draft, as the API tells it. */
export type DryRun =
  | CheckState
  | { readonly state: 'unchanged' }
  | { readonly state: 'valid'; readonly change: AutonomyChange };
