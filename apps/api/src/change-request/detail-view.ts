import { stringify } from 'yaml';
import { unifiedDiff } from '#lib/autonomy';
import type { Json, JsonObject } from '#lib/canonical';

/** The facts of a change to compare: documents before and after it are shown by their difference. A new one has none before it. */
export function detailView({ before, after, ...facts }: JsonObject): JsonObject {
  if (!isDocument(after) || (before !== null && !isDocument(before)))
    return { ...facts, ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) };
  return {
    ...facts,
    diff: unifiedDiff(
      { name: 'in force', source: before === null ? '' : textOf(before) },
      { name: 'asked for', source: textOf(after) },
    ),
  };
}

const isDocument = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const textOf = (document: JsonObject): string =>
  stringify(document, { aliasDuplicateObjects: false, lineWidth: 0, sortMapEntries: true });
