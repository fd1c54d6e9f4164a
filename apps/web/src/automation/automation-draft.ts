import type { ReadAutomationView } from '#lib/api-schemas';
import { hasMembers } from '../api/has-members.js';
import { useDraftStore, type DraftStore } from '../components/draft-store.js';

/** The source that a draft of an automation began from. */
export type DraftBase = Pick<ReadAutomationView, 'revision' | 'source' | 'source_sha256'>;

const isDraftBase = (value: unknown): value is DraftBase =>
  hasMembers(value, ['revision', 'source', 'source_sha256']) &&
  typeof value.revision === 'number' &&
  typeof value.source === 'string' &&
  typeof value.source_sha256 === 'string';

export const draftBaseOf = ({ revision, source, source_sha256 }: ReadAutomationView): DraftBase => ({
  ...{ revision, source, source_sha256 },
});

/** The reader's draft of another source for an automation. */
export const useAutomationDraft = (id: string): DraftStore<DraftBase> => useDraftStore(`automation.${id}`, isDraftBase);

const isNone = (value: unknown): value is null => value === null;

/** The reader's draft of a new automation. */
export const useNewAutomationDraft = (): DraftStore<null> => useDraftStore('automation.new', isNone);
