import { canonicalJson, type Json } from '#lib/canonical';
import type { EntryHeader } from '#lib/verifier';
import { csvRecord } from '#lib/words';

/** The first record of an export: the names of the columns. */
export const entryCsvHeader = (): string =>
  csvRecord([
    'occurred_at',
    'id',
    'level',
    'action',
    'actor_kind',
    'actor_id',
    'actor_name',
    'subject_type',
    'subject_id',
    'within',
    'decision_id',
    'payload_digest',
    'payload',
  ]);

/** One entry; its payload is canonical JSON, and empty once it was erased. */
export const entryCsvRecord = ({
  header,
  payload,
}: {
  readonly header: EntryHeader;
  readonly payload: Json | undefined;
}): string =>
  csvRecord([
    header.occurred_at,
    header.id,
    header.level,
    header.action,
    header.actor.kind,
    header.actor.id,
    header.actor.display_name,
    header.subject.type,
    header.subject.id,
    header.within.map(({ type, id }) => `${type}:${id}`).join(' '),
    header.decision_id,
    header.payload_digest,
    payload === undefined ? null : canonicalJson(payload),
  ]);
