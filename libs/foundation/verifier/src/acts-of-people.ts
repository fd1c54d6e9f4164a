import { type Json } from '#lib/canonical';
import { documentDigest, idWithin } from './audit-entry.js';
import { member } from './json-member.js';
import type { Pack, PackEntry } from './pack-shape.js';

/** An act that only a person may perform: a verdict, a break-glass, a word on a change. */
export interface Act {
  readonly entry: PackEntry;
  /** JSON Pointer of the entry. */
  readonly pointer: string;
  /** The act as a sentence that continues after the person's name. */
  readonly done: string;
  /** Whether something was executed or loosened on it. */
  readonly lets: boolean;
  /** How they proved a second factor; null: not at all; undefined: nothing says so any more. */
  readonly method: string | null | undefined;
  /** The operation that the passkey must have signed; null if the pack holds no document of the act. */
  readonly operation: Json | null;
  /** The difference between entry and document; null if they do. */
  readonly contradiction: string | null;
}

/** The document of a kind that the entry itself fixed; null if the pack lacks it. */
export function fixedDocument(pack: Pack, { header }: PackEntry, kind: string): { id: string; document: Json } | null {
  const found = pack.documents.find(
    (one) =>
      one.kind === kind &&
      // A digest is of its kind alone.
      header.evidence.some(({ id, digest }) => id === one.id && digest === documentDigest(kind, one.document)),
  );
  return found ?? null;
}

/** The acts of people in a pack, in the log's order. */
export const actsOfPeople = (pack: Pack): readonly Act[] =>
  pack.entries.flatMap((entry, index) => {
    const act = READERS.get(entry.header.action)?.(pack, entry);
    return act === undefined ? [] : [{ ...act, entry, pointer: `/entries/${String(index)}` }];
  });

type Reader = (pack: Pack, entry: PackEntry) => Omit<Act, 'entry' | 'pointer'>;

const READERS = new Map<string, Reader>([
  ['review.submitted', readReview],
  ['break_glass.invoked', readBreakGlass],
  ['change.confirmed', readConfirmation],
]);

const DONE = new Map<Json, string>([
  ['approve', 'approved'],
  ['reject', 'rejected'],
  ['request_changes', 'asked for changes'],
]);

/** The quorum is counted by entries, and the signature is checked against the document: both must say the same. */
function readReview(pack: Pack, entry: PackEntry): ReturnType<Reader> {
  const review = fixedDocument(pack, entry, 'review')?.document ?? null;
  const payload = entry.facts?.payload ?? null;
  const said = review ?? payload;
  const verdict = member(said, 'verdict');
  const [always, word] = [member(review, 'always'), member(review, 'confirm_word')];
  const agree = ['verdict', 'subject_digest', 'comment', 'always', 'confirm_word', 'binding_digest'].every(
    (name) => member(payload, name) === member(review, name),
  );
  const same =
    review === null ||
    (member(review, 'person_id') === entry.header.actor.id && // The document is fixed; without a payload it stands alone.
      member(review, 'request_id') === entry.header.subject.id &&
      (payload === null || agree));
  return {
    done: `${DONE.get(verdict) ?? 'reviewed'}${typeof word === 'string' ? ` with the word ${word}` : ''}`,
    lets: verdict === 'approve' || DONE.get(verdict) === undefined,
    method: methodIn(said, 'mfa'),
    operation:
      review === null
        ? null
        : {
            kind: 'review',
            request_id: entry.header.subject.id,
            verdict,
            subject_digest: member(review, 'subject_digest'),
            comment: member(review, 'comment'),
            ...(always === null ? {} : { always }),
            ...(word === null ? {} : { confirm_word: word }),
          },
    contradiction: same ? null : 'the review on record and its document differ in who, what or which verdict',
  };
}

function readBreakGlass(pack: Pack, entry: PackEntry): ReturnType<Reader> {
  const run = idWithin(entry.header, 'run');
  const incident = pack.documents.find((one) => one.kind === 'incident' && member(one.document, 'run_id') === run);
  const document = incident?.document ?? null;
  const planId = idWithin(entry.header, 'plan');
  return {
    done: 'broke the glass',
    lets: true,
    method: methodIn(document, 'second_factor'),
    operation:
      document === null
        ? null
        : {
            kind: 'break_glass',
            plan_id: planId,
            plan_digest: member(document, 'plan_digest'),
            justification: member(document, 'justification'),
          },
    contradiction:
      document === null || (member(document, 'plan_id') === planId && planId === pack.subject.id)
        ? null
        : 'the incident is of another plan',
  };
}

function readConfirmation(pack: Pack, entry: PackEntry): ReturnType<Reader> {
  const change = fixedDocument(pack, entry, 'change-request');
  const payload = entry.facts?.payload ?? null;
  return {
    done: 'confirmed the change',
    lets: true,
    method: methodIn(payload, 'mfa'),
    operation:
      change === null
        ? null
        : {
            kind: 'change_confirm',
            change_id: change.id,
            change_digest: documentDigest('change-request', change.document),
          },
    contradiction:
      change === null || change.id === entry.header.subject.id ? null : 'the change is another than the one on record',
  };
}

function methodIn(said: Json, name: string): string | null | undefined {
  const method = member(said, name, 'method');
  if (typeof method === 'string') return method;
  return said === null ? undefined : null;
}
