import { ed25519 } from '@noble/curves/ed25519.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { canonicalJson, type Json, type JsonObject } from '#lib/canonical';
import { documentDigest, ENTRY_FORMAT, entryLeafHash, payloadDigest } from './audit-entry.js';
import type { DocumentDigest, EntryHeader, NamedThing } from './audit-entry.js';
import { ASSEMBLED_ACTION } from './check-documents.js';
import { formatCheckpoint, originOf } from './checkpoint.js';
import { nodeHash } from './merkle.js';
import { EVIDENCE_FORMAT, type Pack, type PackDocument, type PackEntry, type PackSubject } from './pack-shape.js';
import { signNote, type NoteSigner } from './signed-note.js';
import { Failed, refuse, type Refuse } from './verification-failure.js';

export const TENANT = 'tenant-1';
export const PLAN: PackSubject = { type: 'plan', id: 'plan-1' };

type Actor = EntryHeader['actor'];

/** An entry to be recorded; the rest of it follows from this. */
export interface FakeEvent {
  readonly action: string;
  readonly actor?: Actor;
  readonly level?: string;
  readonly subject?: NamedThing;
  readonly within?: readonly NamedThing[];
  /** The documents that the action fixes. The pack holds them too. */
  readonly fixes?: readonly PackDocument[];
  /** The decision that the action names. */
  readonly decisionId?: string;
  /** More digests, of documents that the pack lacks. */
  readonly names?: readonly DocumentDigest[];
  readonly payload?: Json;
  /** Whether retention took the payload. */
  readonly erased?: boolean;
}

export const actor = (kind: string, id: string, onBehalfOf: string | null = null): Actor => ({
  kind,
  id,
  display_name: `${id.charAt(0).toUpperCase()}${id.slice(1)}`,
  credential_id: `credential-of-${id}`,
  on_behalf_of: onBehalfOf,
});
export const person = (id: string): Actor => actor('person', id);
export const SYSTEM = actor('system', 'worker');

export const digestOf = ({ kind, id, document }: PackDocument): DocumentDigest => ({
  kind,
  id,
  digest: documentDigest(kind, document),
});

function entryOf(event: FakeEvent, position: number): PackEntry {
  const payload = event.payload ?? {};
  const salt = new Uint8Array(32).fill(position + 1);
  return {
    epoch: 1,
    leafIndex: position,
    header: {
      format: ENTRY_FORMAT,
      tenant_id: TENANT,
      id: `entry-${String(position)}`,
      occurred_at: `2026-11-22T00:00:${String(position).padStart(2, '0')}.000Z`,
      level: event.level ?? 'full',
      action: event.action,
      actor: event.actor ?? SYSTEM,
      subject: event.subject ?? PLAN,
      within: event.within ?? [PLAN],
      decision_id: event.decisionId ?? null,
      evidence: [...(event.fixes ?? []).map(digestOf), ...(event.names ?? [])],
      payload_digest: `sha256:${bytesToHex(payloadDigest(salt, canonicalJson(payload)))}`,
    },
    facts: event.erased === true ? null : { salt, payload },
    inclusion: [],
  };
}

const orderOf = (document: PackDocument): string => Object.values(digestOf(document)).join('\n');

/** A pack of these events and the documents that they fix, without proofs. */
export function packOf(
  events: readonly FakeEvent[],
  { subject = PLAN, documents = [] }: { subject?: PackSubject; documents?: readonly PackDocument[] } = {},
): Pack {
  const held = new Map(
    [...events.flatMap(({ fixes = [] }) => fixes), ...documents].map((one) => [orderOf(one), one] as const),
  );
  return {
    tenantId: TENANT,
    subject,
    checkpoints: [],
    consistency: [],
    entries: events.map(entryOf),
    documents: [...held].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, document]) => document),
  };
}

/** The event that assembles a pack of these events. */
export function assemblyOf(events: readonly FakeEvent[], documents: readonly PackDocument[] = []): FakeEvent {
  const { entries, documents: held } = packOf(events, { documents });
  return {
    action: ASSEMBLED_ACTION,
    names: held.map(digestOf),
    payload: {
      entries: entries.map(({ header }) => header.id),
      not_there: entries.flatMap(({ header, facts }) => (facts === null ? [header.id] : [])),
    },
  };
}

/** The refusal of a check; null if it passes. */
export function failureOf(check: (refuse: Refuse) => unknown): Failed['failure'] | null {
  try {
    check(refuse);
    return null;
  } catch (error) {
    if (error instanceof Failed) return error.failure;
    throw error;
  }
}

/** A key of the log. */
export function fakeSigner(name: string, seed = 1): NoteSigner {
  const secret = new Uint8Array(32).fill(seed);
  return { name, publicKey: ed25519.getPublicKey(secret), sign: (message) => ed25519.sign(message, secret) };
}

const splitOf = (count: number): number => 2 ** Math.ceil(Math.log2(count) - 1);

/** RFC 6962 section 2.1. */
export function rootOf(leaves: readonly Uint8Array[]): Uint8Array {
  const [first] = leaves;
  if (first === undefined) throw new Error('a tree has leaves');
  if (leaves.length === 1) return first;
  const split = splitOf(leaves.length);
  return nodeHash(rootOf(leaves.slice(0, split)), rootOf(leaves.slice(split)));
}

/** RFC 6962 section 2.1.1. */
export function inclusionOf(index: number, leaves: readonly Uint8Array[]): Uint8Array[] {
  if (leaves.length <= 1) return [];
  const split = splitOf(leaves.length);
  const [left, right] = [leaves.slice(0, split), leaves.slice(split)];
  return index < split
    ? [...inclusionOf(index, left), rootOf(right)]
    : [...inclusionOf(index - split, right), rootOf(left)];
}

/** RFC 6962 section 2.1.2. */
export function consistencyOf(first: number, leaves: readonly Uint8Array[], whole = true): Uint8Array[] {
  if (first === leaves.length) return whole ? [] : [rootOf(leaves)];
  const split = splitOf(leaves.length);
  const [left, right] = [leaves.slice(0, split), leaves.slice(split)];
  return first <= split
    ? [...consistencyOf(first, left, whole), rootOf(right)]
    : [...consistencyOf(first - split, right, false), rootOf(left)];
}

/** The leaves of a pack that holds the whole log. */
export const leavesOf = ({ entries }: Pack): Uint8Array[] => entries.map(({ header }) => entryLeafHash(header));

/** The signed checkpoint of a log of these leaves. */
export const noteOf = (leaves: readonly Uint8Array[], signer: NoteSigner, epoch = 1): string =>
  signNote(
    formatCheckpoint({ origin: originOf(TENANT, epoch), treeSize: leaves.length, rootHash: rootOf(leaves) }),
    signer,
  );

/** The pack with the checkpoint and the proofs of its entries. */
export function proven(pack: Pack, signer: NoteSigner): Pack {
  const leaves = leavesOf(pack);
  return {
    ...pack,
    checkpoints: [{ epoch: 1, note: noteOf(leaves, signer) }],
    entries: pack.entries.map((entry) => ({ ...entry, inclusion: inclusionOf(entry.leafIndex, leaves) })),
  };
}

/** The pack as the JSON of its file. */
export const jsonOf = (pack: Pack): JsonObject => ({
  format: EVIDENCE_FORMAT,
  tenant_id: pack.tenantId,
  subject: { ...pack.subject },
  checkpoints: pack.checkpoints.map((one) => ({ ...one })),
  consistency: pack.consistency.map(({ epoch, note, proof }) => ({ epoch, note, proof: proof.map(bytesToHex) })),
  entries: pack.entries.map(({ epoch, leafIndex, header, facts, inclusion }) => ({
    epoch,
    leaf_index: leafIndex,
    // An interface has no index signature, though every member of the header is JSON.
    header: header as unknown as JsonObject,
    facts: facts && { salt: bytesToHex(facts.salt), payload: facts.payload },
    inclusion: inclusion.map(bytesToHex),
  })),
  documents: pack.documents.map((one) => ({ ...one })),
});

/** The file of a pack. */
export const fileOf = (json: Json): Uint8Array => new TextEncoder().encode(canonicalJson(json));

/** The value with one thing changed: every leaf altered, every member or item dropped. */
export function* everyChange(value: Json): Generator<Json> {
  if (Array.isArray(value)) {
    const list = value as readonly Json[];
    for (const [index, item] of list.entries()) {
      yield list.filter((_, position) => position !== index);
      for (const broken of everyChange(item))
        yield list.map((other, position) => (position === index ? broken : other));
    }
  } else if (typeof value === 'object' && value !== null) {
    const object = value as JsonObject;
    yield { ...object, added: 1 };
    for (const [key, item] of Object.entries(object)) {
      yield Object.fromEntries(Object.entries(object).filter(([other]) => other !== key));
      for (const broken of everyChange(item)) yield { ...object, [key]: broken };
    }
  } else if (typeof value === 'string') {
    yield `${value}x`;
    yield null;
  } else {
    yield typeof value === 'number' ? value + 1 : 'x';
  }
}
