import type { AutonomyChange } from '#lib/contracts';

/** What the API says that a draft would do. */
export type DryRun =
  | { readonly state: 'unchanged' | 'checking' }
  | { readonly state: 'valid'; readonly change: AutonomyChange }
  | { readonly state: 'invalid'; readonly problems: number; readonly first: string }
  | { readonly state: 'failed'; readonly error: unknown };
