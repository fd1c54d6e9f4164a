/** The beginning of the key of every draft in the store of a tab. */
export const DRAFTS = 'countersign.draft.';

/** Takes all drafts of this tab away: its next reader may be another person. */
export function forgetDrafts(): void {
  try {
    for (const key of Object.keys(sessionStorage)) if (key.startsWith(DRAFTS)) sessionStorage.removeItem(key);
  } catch {
    // A forbidden store kept nothing.
  }
}
