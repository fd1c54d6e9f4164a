import type { ChangeRequestView } from '#lib/api-schemas';
import { inWords } from '../components/tone-of.js';

const WORDS: Partial<Record<ChangeRequestView['kind'], string>> = {
  automation_safe_tool: 'tool for automations',
};

/** The kind of a change, as people read it. */
export const kindWords = (kind: ChangeRequestView['kind']): string => WORDS[kind] ?? inWords(kind);
