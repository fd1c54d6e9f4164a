import type { Json } from '#lib/canonical';
import { member } from './json-member.js';
import type { Pack, PackEntry } from './pack-shape.js';

/** An entry at its place in the pack. */
export interface LocatedEntry {
  readonly entry: PackEntry;
  readonly index: number;
  /** JSON Pointer of the entry. */
  readonly pointer: string;
  /** Null if it is not there. */
  readonly payload: Json;
}

/** A policy decision that an entry names, with the facts that it was taken from. */
export interface NamedDecision {
  readonly entrypoint: Json;
  readonly result: Json;
  readonly input: Json;
}

/** A request about a call, with the entries of it. */
export interface CallRequest {
  readonly id: string;
  /** The entry that says that people are asked about the call. */
  readonly asked: LocatedEntry;
  readonly opened: LocatedEntry | undefined;
  readonly reviews: readonly LocatedEntry[];
}

/** The entries of a session, in the order of the log. They are found by their calls and requests. */
export interface SessionLog {
  readonly id: string;
  readonly located: readonly LocatedEntry[];
  /** The entry that says that people are asked about a call, by the call. */
  readonly asked: ReadonlyMap<string, LocatedEntry>;
  readonly decisionOf: (of: LocatedEntry) => NamedDecision | null;
  /** Null if the payload that names the call or the request is not there, or names none. */
  readonly requestAbout: (callId: Json) => CallRequest | null;
}

export const isThere = ({ entry }: LocatedEntry): boolean => entry.facts !== null;

export function sessionLogOf(pack: Pack): SessionLog {
  const located = pack.entries.map((entry, index): LocatedEntry => {
    return { entry, index, pointer: `/entries/${String(index)}`, payload: entry.facts?.payload ?? null };
  });
  const asked = new Map<string, LocatedEntry>();
  const bySubject = new Map<string, LocatedEntry[]>();
  for (const one of located) {
    const { action, subject } = one.entry.header;
    if (action === 'tool_call.asked') asked.set(subject.id, one);
    const known = bySubject.get(subject.id);
    if (known === undefined) bySubject.set(subject.id, [one]);
    else known.push(one);
  }
  const documents = new Map(pack.documents.map(({ kind, id, document }) => [`${kind}\n${id}`, document]));
  return {
    id: pack.subject.id,
    located,
    asked,
    decisionOf: ({ entry: { header } }) => {
      const id = header.decision_id ?? '';
      const decision = documents.get(`decision\n${id}`);
      if (decision === undefined) return null;
      const input = documents.get(`policy-input\n${id}`) ?? null;
      return { entrypoint: member(decision, 'entrypoint'), result: member(decision, 'result'), input };
    },
    requestAbout: (callId) => {
      const call = typeof callId === 'string' ? asked.get(callId) : undefined;
      const id = call === undefined ? null : member(call.payload, 'request_id');
      if (call === undefined || typeof id !== 'string') return null;
      const ofRequest = bySubject.get(id) ?? [];
      const opened = ofRequest.find(({ entry }) => entry.header.action === 'approval_request.opened');
      const reviews = ofRequest.filter(({ entry }) => entry.header.action === 'review.submitted');
      return { id, asked: call, opened, reviews };
    },
  };
}
