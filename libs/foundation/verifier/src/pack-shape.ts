import { isJsonList, isJsonObject, type Json } from '#lib/canonical';
import { hexToBytes } from '@noble/hashes/utils.js';
import { ENTRY_FORMAT, type DocumentDigest, type EntryHeader, type NamedThing } from './audit-entry.js';
import { HASH_LENGTH } from './merkle.js';

/** First member of every pack. */
export const EVIDENCE_FORMAT = 'countersign.evidence/v2';

/** The kinds of things that a pack can be about. */
const SUBJECT_TYPES = ['plan', 'change_request', 'session', 'automation_run'] as const;

export interface PackEntry {
  readonly epoch: number;
  readonly leafIndex: number;
  readonly header: EntryHeader;
  /** Null if it is not there: the assembly says whether it was. */
  readonly facts: { readonly salt: Uint8Array; readonly payload: Json } | null;
  readonly inclusion: readonly Uint8Array[];
}

export interface PackDocument {
  readonly kind: string;
  readonly id: string;
  readonly document: Json;
}

/** The subject of a pack. */
export interface PackSubject {
  readonly type: (typeof SUBJECT_TYPES)[number];
  readonly id: string;
}

/** A subject in words. */
export const subjectText = ({ type, id }: PackSubject): string => `${WORDS[type]} ${id}`;

const WORDS = {
  plan: 'plan',
  change_request: 'change',
  session: 'session',
  automation_run: 'run of an automation',
} as const;

/** The command that assembles a new pack of it. */
export const makeAnew = ({ type, id }: PackSubject): string => `countersign ${COMMANDS[type]} ${id} --output FILE`;

const COMMANDS = {
  plan: 'evidence',
  change_request: 'changes evidence',
  session: 'session evidence',
  automation_run: 'automation evidence',
} as const;

/** An evidence pack taken apart; nothing in it is trusted yet. */
export interface Pack {
  readonly tenantId: string;
  readonly subject: PackSubject;
  readonly checkpoints: readonly { readonly epoch: number; readonly note: string }[];
  readonly consistency: readonly {
    readonly epoch: number;
    readonly note: string;
    readonly proof: readonly Uint8Array[];
  }[];
  readonly entries: readonly PackEntry[];
  readonly documents: readonly PackDocument[];
}

/** The pack has another shape than version 2; `pointer` (RFC 6901) says where. */
export class PackShapeError extends Error {
  constructor(
    readonly pointer: string,
    expected: string,
  ) {
    super(`${pointer === '' ? 'The pack' : pointer}: expected ${expected}`);
    this.name = 'PackShapeError';
  }
}

/** A value with its place. Each reader returns the expected type, and refuses anything else. */
class At {
  constructor(
    readonly value: Json,
    readonly pointer: string,
  ) {}

  /** Exactly these members: one more would be material that nothing covers. */
  members<Key extends string>(...keys: Key[]): Record<Key, At> {
    const { value } = this;
    if (!isJsonObject(value)) throw new PackShapeError(this.pointer, 'an object');
    const surplus = Object.keys(value).find((key) => !keys.some((known) => known === key));
    if (surplus !== undefined)
      throw new PackShapeError(`${this.pointer}/${surplus}`, 'nothing: no such member is known');
    // The cast: the names are those of `keys`, which the compiler does not follow through a list.
    return Object.fromEntries(
      keys.map((key) => {
        const member = value[key];
        if (member === undefined) throw new PackShapeError(`${this.pointer}/${key}`, 'a value');
        return [key, new At(member, `${this.pointer}/${key}`)];
      }),
    ) as Record<Key, At>;
  }

  items(): At[] {
    if (!isJsonList(this.value)) throw new PackShapeError(this.pointer, 'an array');
    return this.value.map((item, index) => new At(item, `${this.pointer}/${String(index)}`));
  }

  text(): string {
    if (typeof this.value !== 'string') throw new PackShapeError(this.pointer, 'a string');
    return this.value;
  }

  literal<Text extends string>(...texts: readonly Text[]): Text {
    const text = texts.find((one) => one === this.value);
    if (text === undefined) throw new PackShapeError(this.pointer, texts.map((one) => `"${one}"`).join(' or '));
    return text;
  }

  textOrNull(): string | null {
    return this.value === null ? null : this.text();
  }

  count(least: number): number {
    if (typeof this.value !== 'number' || !Number.isSafeInteger(this.value) || this.value < least) {
      throw new PackShapeError(this.pointer, `a whole number from ${String(least)}`);
    }
    return this.value;
  }

  hash(): Uint8Array {
    const text = this.text();
    if (!new RegExp(`^[0-9a-f]{${String(2 * HASH_LENGTH)}}$`).test(text))
      throw new PackShapeError(this.pointer, '64 hexadecimal digits');
    return hexToBytes(text);
  }

  digest(): string {
    const text = this.text();
    if (!/^sha256:[0-9a-f]{64}$/.test(text)) throw new PackShapeError(this.pointer, 'a digest');
    return text;
  }
}

const readDigest = (at: At): DocumentDigest => {
  const { kind, id, digest } = at.members('kind', 'id', 'digest');
  return { kind: kind.text(), id: id.text(), digest: digest.digest() };
};

const readThing = (at: At): NamedThing => {
  const { type, id } = at.members('type', 'id');
  return { type: type.text(), id: id.text() };
};

function readHeader(at: At): EntryHeader {
  const header = at.members(
    'format',
    'tenant_id',
    'id',
    'occurred_at',
    'level',
    'action',
    'actor',
    'subject',
    'within',
    'decision_id',
    'evidence',
    'payload_digest',
  );
  const actor = header.actor.members('kind', 'id', 'display_name', 'credential_id', 'on_behalf_of');
  return {
    format: header.format.literal(ENTRY_FORMAT),
    tenant_id: header.tenant_id.text(),
    id: header.id.text(),
    occurred_at: header.occurred_at.text(),
    level: header.level.text(),
    action: header.action.text(),
    actor: {
      kind: actor.kind.text(),
      id: actor.id.text(),
      display_name: actor.display_name.text(),
      credential_id: actor.credential_id.textOrNull(),
      on_behalf_of: actor.on_behalf_of.textOrNull(),
    },
    subject: readThing(header.subject),
    within: header.within.items().map(readThing),
    decision_id: header.decision_id.textOrNull(),
    evidence: header.evidence.items().map(readDigest),
    payload_digest: header.payload_digest.digest(),
  };
}

function readEntry(at: At): PackEntry {
  const { epoch, leaf_index, header, facts, inclusion } = at.members(
    'epoch',
    'leaf_index',
    'header',
    'facts',
    'inclusion',
  );
  const kept = facts.value === null ? null : facts.members('salt', 'payload');
  return {
    epoch: epoch.count(1),
    leafIndex: leaf_index.count(0),
    header: readHeader(header),
    facts: kept && { salt: kept.salt.hash(), payload: kept.payload.value },
    inclusion: inclusion.items().map((item) => item.hash()),
  };
}

/** @throws {PackShapeError} for anything that is not exactly a pack of version 2. */
export function readPack(value: Json): Pack {
  const at = new At(value, '');
  const pack = at.members('format', 'tenant_id', 'subject', 'checkpoints', 'consistency', 'entries', 'documents');
  const subject = pack.subject.members('type', 'id');
  pack.format.literal(EVIDENCE_FORMAT);
  return {
    tenantId: pack.tenant_id.text(),
    subject: { type: subject.type.literal(...SUBJECT_TYPES), id: subject.id.text() },
    checkpoints: pack.checkpoints.items().map((item) => {
      const { epoch, note } = item.members('epoch', 'note');
      return { epoch: epoch.count(1), note: note.text() };
    }),
    consistency: pack.consistency.items().map((item) => {
      const { epoch, note, proof } = item.members('epoch', 'note', 'proof');
      return { epoch: epoch.count(1), note: note.text(), proof: proof.items().map((hash) => hash.hash()) };
    }),
    entries: pack.entries.items().map(readEntry),
    documents: pack.documents.items().map((item) => {
      const { kind, id, document } = item.members('kind', 'id', 'document');
      return { kind: kind.text(), id: id.text(), document: document.value };
    }),
  };
}
