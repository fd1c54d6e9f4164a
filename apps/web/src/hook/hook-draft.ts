import type { LifecycleHooksView } from '#lib/api-schemas';

/** The hooks that a draft began from. */
export type DraftBase = Pick<LifecycleHooksView, 'source' | 'etag'>;

/** A text that somebody edits, and the hooks that it takes the place of. */
export interface HookDraft {
  readonly base: DraftBase;
  readonly text: string;
}

/** A text that the API took. */
interface AcceptedText {
  readonly text: string;
  /** The ETag of the hooks that the text put in force; null if it waits for a second person. */
  readonly etag: string | null;
}

/**
 * The draft beside the hooks in force, which may be newer than its base. An unchanged text follows them, and so does
 * one that the API took. If the person typed on while it was sent, their text stays. It is then a change to the hooks that they
 * put in force. Any other draft keeps its base, and the person decides.
 */
export function draftBeside(draft: HookDraft, hooks: DraftBase, accepted: AcceptedText | null): HookDraft {
  const { base, text } = draft;
  if (hooks.etag === base.etag) return draft;
  if (text === base.source || text === accepted?.text) return { base: hooks, text: hooks.source };
  return accepted?.etag === hooks.etag ? { base: hooks, text } : draft;
}
