import {
  canonicalJson,
  CanonicalJsonError,
  parseStrictJson,
  StrictJsonError,
  type Json,
  type JsonObject,
} from '#lib/canonical';
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import { documentDigest, entryLeafHash, payloadDigest, type EntryHeader } from './audit-entry.js';
import { originOf, parseCheckpoint, type Checkpoint } from './checkpoint.js';
import { checkStory } from './check-story.js';
import { HASH_LENGTH, sameBytes, verifyConsistency, verifyInclusion } from './merkle.js';
import { PackShapeError, readPack, type Pack } from './pack-shape.js';
import { type Refuse, type VerificationFailure } from './verification-failure.js';
import { isSignedBy, trustedSignature, type NoteKey } from './signed-note.js';

/** The entry that assembling a pack leaves: its evidence names every document of the pack. */
export const ASSEMBLED_ACTION = 'evidence_pack.assembled';

/**
 * Documents that must have been fixed by the action itself. Anything else (a tool's description, say) may also be
 * covered by the assembly, which says only that the server held it so when the pack was made.
 */
const FIXED_BY_ACTION = new Set([
  'task',
  'plan',
  'simulation',
  'binding',
  'approval-request',
  'review',
  'run',
  'attempt',
]);

/** Deep enough for whatever the server accepts inside its own envelope. */
const MAX_DEPTH = 320;

/** A document of the pack, and the entry that fixed it. */
export interface CoveredDocument {
  readonly kind: string;
  readonly id: string;
  readonly digest: string;
  readonly entryId: string;
  readonly action: string;
  readonly occurredAt: string;
}

export interface VerificationReport {
  readonly ok: boolean;
  readonly failure: VerificationFailure | null;
  /** What was checked, in order, as lines for people. */
  readonly passed: readonly string[];
  readonly tenantId: string | null;
  readonly planId: string | null;
  readonly checkpoints: readonly {
    readonly origin: string;
    readonly treeSize: number;
    readonly rootHash: string;
    readonly keyName: string;
  }[];
  readonly entries: readonly EntryHeader[];
  /** Entries whose payload was erased under the retention rule; their headers are proven all the same. */
  readonly erasedPayloads: number;
  readonly documents: readonly CoveredDocument[];
}

export interface ExternalCheckpoint {
  /** The note as it was published. */
  readonly note: string;
  /** Hashes in hexadecimal, where it differs in size from what the pack proves (`GET /v1/audit/consistency`). */
  readonly proof?: readonly string[];
}

export interface VerifyOptions {
  /** Keys that were received apart from the pack. */
  readonly trustedKeys: readonly NoteKey[];
  /** A checkpoint that was kept outside: shows that history was not rewritten since. */
  readonly externalCheckpoint?: ExternalCheckpoint;
}

class Failed extends Error {
  constructor(readonly failure: VerificationFailure) {
    super(failure.message);
  }
}

const refuse: Refuse = (code, message, pointer = '') => {
  throw new Failed({ code, message, pointer });
};

/**
 * Checks an evidence pack offline: no server, no network, no clock. Stops at the first thing that fails, and names it.
 * The keys come from the caller alone: a pack that brings its own is refused like any unknown member.
 */
export function verifyPack(bytes: Uint8Array, options: VerifyOptions): VerificationReport {
  const report: { -readonly [Key in keyof VerificationReport]: VerificationReport[Key] } & { passed: string[] } = {
    ok: false,
    failure: null,
    passed: [],
    tenantId: null,
    planId: null,
    checkpoints: [],
    entries: [],
    erasedPayloads: 0,
    documents: [],
  };
  try {
    const pack = parsePack(bytes);
    report.tenantId = pack.tenantId;
    report.planId = pack.planId;
    report.passed.push('The pack is canonical JSON of a known format.');

    const checkpoints = checkCheckpoints(pack, options.trustedKeys);
    report.checkpoints = [...checkpoints.values()].map(({ checkpoint: { origin, treeSize, rootHash }, key }) => ({
      origin,
      treeSize,
      rootHash: bytesToHex(rootHash),
      keyName: key.name,
    }));
    report.passed.push(`${counted(checkpoints.size, 'checkpoint')} signed by a trusted key.`);

    const smaller = checkConsistency(pack, checkpoints, options.trustedKeys);
    if (options.externalCheckpoint) {
      checkExternal(pack, checkpoints, smaller, options.externalCheckpoint, options.trustedKeys);
      report.passed.push('The log is the one that the checkpoint held outside speaks of.');
    }

    checkEntries(pack, checkpoints);
    report.entries = pack.entries.map(({ header }) => header);
    report.erasedPayloads = pack.entries.filter(({ facts }) => facts === null).length;
    report.passed.push(
      `${counted(pack.entries.length, 'audit entry', 'audit entries')} proven to be in the log, payloads unchanged.`,
    );

    const assembly = checkAssembly(pack);
    report.documents = checkDocuments(pack, assembly);
    report.passed.push(
      `${counted(pack.documents.length, 'document')} covered by proven entries; nothing that was assembled is missing.`,
    );

    for (const line of checkStory(pack, refuse)) report.passed.push(line);
    report.ok = true;
  } catch (error) {
    if (!(error instanceof Failed)) throw error;
    report.failure = error.failure;
  }
  return report;
}

const counted = (count: number, one: string, many = `${one}s`): string =>
  `${String(count)} ${count === 1 ? one : many}`;

function parsePack(bytes: Uint8Array): Pack {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return refuse('pack.not_text', 'The file is not UTF-8 text.');
  }
  try {
    const value = parseStrictJson(text, MAX_DEPTH);
    // Then every byte means something, and each is covered by a check below.
    if (canonicalJson(value) !== text)
      return refuse(
        'pack.not_canonical',
        'The file is not canonical JSON (RFC 8785): it was changed after it was made.',
      );
    return readPack(value);
  } catch (error) {
    if (error instanceof StrictJsonError) {
      return refuse(error.code === 'json.duplicate_key' ? 'pack.duplicate_key' : 'pack.not_json', error.message);
    }
    if (error instanceof CanonicalJsonError) return refuse('pack.not_json', error.message, error.pointer);
    if (error instanceof PackShapeError) return refuse('pack.format', error.message, error.pointer);
    throw error;
  }
}

interface TrustedCheckpoint {
  readonly checkpoint: Checkpoint;
  readonly key: NoteKey;
}

function trustedCheckpoint(
  noteText: string,
  keys: readonly NoteKey[],
  area: 'checkpoint' | 'external_checkpoint',
  pointer: string,
): TrustedCheckpoint {
  const parsed = parseCheckpoint(noteText);
  if (parsed === null) return refuse(`${area}.format`, 'Not a signed checkpoint.', pointer);
  const { checkpoint, note } = parsed;
  const named = trustedSignature(note, keys);
  if (named === null) {
    const names = note.signatures.map(({ name }) => name).join(', ');
    return refuse(
      `${area}.key_not_trusted`,
      `The checkpoint is signed by ${names}, which is not among the trusted keys.`,
      pointer,
    );
  }
  if (!isSignedBy(note, named.key, named.signature)) {
    return refuse(`${area}.signature`, `The signature of ${named.key.name} does not fit the checkpoint.`, pointer);
  }
  return { checkpoint, key: named.key };
}

/** Inside a pack, a note carries one signature and nothing else: what nobody checks could be changed unseen. */
function packCheckpoint(
  pack: Pack,
  at: { readonly epoch: number; readonly note: string },
  keys: readonly NoteKey[],
  pointer: string,
): TrustedCheckpoint {
  const parsed = parseCheckpoint(at.note);
  if (parsed?.note.signatures.length !== 1)
    return refuse('checkpoint.format', 'Not a checkpoint with exactly one signature.', pointer);
  const trusted = trustedCheckpoint(at.note, keys, 'checkpoint', pointer);
  const origin = originOf(pack.tenantId, at.epoch);
  if (trusted.checkpoint.origin !== origin) {
    return refuse(
      'checkpoint.other_log',
      `The checkpoint is of the log ${trusted.checkpoint.origin}, not of ${origin}.`,
      pointer,
    );
  }
  return trusted;
}

function checkCheckpoints(pack: Pack, keys: readonly NoteKey[]): ReadonlyMap<number, TrustedCheckpoint> {
  const checkpoints = new Map<number, TrustedCheckpoint>();
  pack.checkpoints.forEach((at, index) => {
    const pointer = `/checkpoints/${String(index)}`;
    if (checkpoints.has(at.epoch))
      refuse('checkpoint.other_log', `Two checkpoints of epoch ${String(at.epoch)}.`, pointer);
    checkpoints.set(at.epoch, packCheckpoint(pack, at, keys, pointer));
  });
  if (checkpoints.size === 0) refuse('checkpoint.missing', 'The pack has no checkpoint.', '/checkpoints');
  return checkpoints;
}

/** Earlier checkpoints that the pack proves to be beginnings of its own: by epoch and size. */
type SmallerCheckpoints = ReadonlyMap<string, Checkpoint>;
const sizeKey = (origin: string, treeSize: number): string => `${origin} ${String(treeSize)}`;

function checkConsistency(
  pack: Pack,
  checkpoints: ReadonlyMap<number, TrustedCheckpoint>,
  keys: readonly NoteKey[],
): SmallerCheckpoints {
  const smaller = new Map<string, Checkpoint>();
  pack.consistency.forEach((at, index) => {
    const pointer = `/consistency/${String(index)}`;
    const { checkpoint: first } = packCheckpoint(pack, at, keys, pointer);
    const second = checkpoints.get(at.epoch)?.checkpoint;
    if (second === undefined)
      return refuse('checkpoint.missing', `There is no checkpoint of epoch ${String(at.epoch)}.`, pointer);
    if (!isConsistent(first, second, at.proof)) {
      return refuse(
        'consistency.proof',
        `The log of ${String(second.treeSize)} leaves does not begin with that of ${String(first.treeSize)}.`,
        pointer,
      );
    }
    smaller.set(sizeKey(first.origin, first.treeSize), first);
  });
  return smaller;
}

const isConsistent = (first: Checkpoint, second: Checkpoint, proof: readonly Uint8Array[]): boolean =>
  verifyConsistency({
    firstSize: first.treeSize,
    firstRoot: first.rootHash,
    secondSize: second.treeSize,
    secondRoot: second.rootHash,
    proof,
  });

function checkExternal(
  pack: Pack,
  checkpoints: ReadonlyMap<number, TrustedCheckpoint>,
  smaller: SmallerCheckpoints,
  external: ExternalCheckpoint,
  keys: readonly NoteKey[],
): void {
  const { checkpoint: held } = trustedCheckpoint(external.note, keys, 'external_checkpoint', '');
  const ours = [...checkpoints.values()].find(({ checkpoint }) => checkpoint.origin === held.origin)?.checkpoint;
  if (ours === undefined) {
    return refuse(
      'external_checkpoint.other_log',
      `The checkpoint held outside is of ${held.origin}; the pack of tenant ${pack.tenantId} has no checkpoint of that log.`,
    );
  }
  const same = ours.treeSize === held.treeSize ? ours : smaller.get(sizeKey(held.origin, held.treeSize));
  if (same !== undefined) {
    if (!sameBytes(same.rootHash, held.rootHash))
      refuse(
        'external_checkpoint.fork',
        `The log had another history when it had ${String(held.treeSize)} leaves: it was rewritten.`,
      );
    return;
  }
  const [first, second] = held.treeSize < ours.treeSize ? [held, ours] : [ours, held];
  const proof = external.proof?.map(hashOf);
  if (proof === undefined) {
    return refuse(
      'external_checkpoint.no_proof',
      `Nothing proves that the log of ${String(second.treeSize)} leaves begins with that of ${String(first.treeSize)}. Ask the server for the consistency proof; if it has none, history was rewritten or a backup restored.`,
    );
  }
  if (
    !isConsistent(
      first,
      second,
      proof.flatMap((hash) => hash ?? []),
    )
  ) {
    refuse(
      'external_checkpoint.fork',
      `The log of ${String(second.treeSize)} leaves does not begin with that of ${String(first.treeSize)}: it was rewritten.`,
    );
  }
}

const hashOf = (text: string): Uint8Array | null =>
  /^[0-9a-f]+$/.test(text) && text.length === 2 * HASH_LENGTH ? hexToBytes(text) : null;

function checkEntries(pack: Pack, checkpoints: ReadonlyMap<number, TrustedCheckpoint>): void {
  let before = { epoch: 0, leafIndex: -1 };
  pack.entries.forEach((entry, index) => {
    const pointer = `/entries/${String(index)}`;
    const { header, epoch, leafIndex } = entry;
    const name = `The entry ${header.id} (${header.action})`;
    if (header.tenant_id !== pack.tenantId) refuse('entry.other_tenant', `${name} is of another tenant.`, pointer);
    if (epoch < before.epoch || (epoch === before.epoch && leafIndex <= before.leafIndex)) {
      refuse('entry.order', `${name} stands out of the log's order, or twice.`, pointer);
    }
    before = { epoch, leafIndex };
    const checkpoint = checkpoints.get(epoch)?.checkpoint;
    if (checkpoint === undefined)
      return refuse('checkpoint.missing', `There is no checkpoint of epoch ${String(epoch)}.`, pointer);
    const claim = {
      index: leafIndex,
      size: checkpoint.treeSize,
      leaf: entryLeafHash(header),
      proof: entry.inclusion,
      root: checkpoint.rootHash,
    };
    if (!verifyInclusion(claim)) refuse('entry.inclusion', `${name} is not in the log, or was changed.`, pointer);
    if (entry.facts !== null) {
      const digest = `sha256:${bytesToHex(payloadDigest(entry.facts.salt, canonicalJson(entry.facts.payload)))}`;
      if (digest !== header.payload_digest)
        refuse('entry.payload', `The payload of ${name.replace('The', 'the')} was changed.`, `${pointer}/facts`);
    }
  });
}

/** The last assembly of this plan's evidence, which says what belongs to the pack: nothing of that may be missing. */
function checkAssembly(pack: Pack): EntryHeader {
  const assembly = pack.entries.findLast(
    ({ header }) =>
      header.action === ASSEMBLED_ACTION && header.subject.type === 'plan' && header.subject.id === pack.planId,
  );
  if (assembly === undefined)
    return refuse(
      'pack.not_assembled',
      `No entry says that evidence of the plan ${pack.planId} was assembled.`,
      '/plan_id',
    );
  const present = new Set(pack.entries.map(({ header }) => header.id));
  const missing = assembledEntries(assembly.facts?.payload ?? null).find((id) => !present.has(id));
  if (missing !== undefined)
    refuse(
      'entry.missing',
      `The entry ${missing} belonged to the evidence when it was assembled, and was left out.`,
      '/entries',
    );
  return assembly.header;
}

/** The ids in the `entries` member of an assembly's payload; none where it was erased. */
function assembledEntries(payload: Json): string[] {
  if (typeof payload !== 'object' || payload === null || Array.isArray(payload)) return [];
  const { entries } = payload as JsonObject;
  return Array.isArray(entries) ? (entries as readonly Json[]).filter((id) => typeof id === 'string') : [];
}

function checkDocuments(pack: Pack, assembly: EntryHeader): CoveredDocument[] {
  const covering = coveringEntries(pack);
  let before = '';
  const fixed = fixedByActions(pack);
  const left = new Set(assembly.evidence.map(({ kind, id, digest }) => coverKey(kind, id, digest)));
  const covered = pack.documents.map(({ kind, id, document }, index) => {
    const pointer = `/documents/${String(index)}`;
    const digest = documentDigest(kind, document);
    const place = coverKey(kind, id, digest);
    if (place <= before) refuse('document.order', `The document ${kind} ${id} stands out of order, or twice.`, pointer);
    before = place;
    const header = covering.get(place);
    if (header === undefined)
      return refuse(
        'document.not_covered',
        `No proven entry fixed the document ${kind} ${id}: it was changed, or added.`,
        pointer,
      );
    if (header.action === ASSEMBLED_ACTION && (FIXED_BY_ACTION.has(kind) || fixed.has(`${kind}\n${id}`))) {
      return refuse(
        'document.not_fixed_by_action',
        `The document ${kind} ${id} is not what its own action recorded.`,
        pointer,
      );
    }
    // A policy revision is the digest of its sources (libs/policy), and decisions name it so.
    if (kind === 'policy' && digest !== id)
      refuse(
        'document.policy_revision',
        `The sources of the policy revision ${id} are not those of that revision.`,
        pointer,
      );
    return { kind, id, digest, entryId: header.id, action: header.action, occurredAt: header.occurred_at };
  });
  for (const { kind, id, digest } of covered) left.delete(coverKey(kind, id, digest));
  checkDecisionInputs(pack);
  const [missing] = left;
  if (missing !== undefined)
    refuse(
      'document.missing',
      `The document ${missing.split('\n').slice(0, 2).join(' ')} was assembled, and was left out.`,
      '/documents',
    );
  return covered;
}

/** What actions fixed, by kind and id: a row that was changed since cannot hide behind the assembly. */
function fixedByActions(pack: Pack): ReadonlySet<string> {
  const actions = pack.entries.filter(({ header }) => header.action !== ASSEMBLED_ACTION);
  return new Set(actions.flatMap(({ header }) => header.evidence.map(({ kind, id }) => `${kind}\n${id}`)));
}

const MASKED = '[masked]';

/** A decision names its input by digest; only where secrets were masked before it was kept may it differ. */
function checkDecisionInputs(pack: Pack): void {
  const named = new Map(
    pack.documents.filter(({ kind }) => kind === 'decision').map(({ id, document }) => [id, inputDigestOf(document)]),
  );
  pack.documents.forEach(({ kind, id, document }, index) => {
    if (kind !== 'policy-input' || documentDigest(kind, document) === named.get(id)) return;
    if (!canonicalJson(document).includes(MASKED)) {
      refuse(
        'document.decision_input',
        `The decision ${id} was taken from another input than the one in the pack.`,
        `/documents/${String(index)}`,
      );
    }
  });
}

const inputDigestOf = (decision: Json): Json =>
  typeof decision === 'object' && decision !== null && !Array.isArray(decision)
    ? ((decision as JsonObject).input_digest ?? null)
    : null;

const coverKey = (kind: string, id: string, digest: string): string => `${kind}\n${id}\n${digest}`;

/** Which entry fixed what: the action's own before the assembly of a pack. */
function coveringEntries(pack: Pack): ReadonlyMap<string, EntryHeader> {
  const covering = new Map<string, EntryHeader>();
  for (const { header } of pack.entries) {
    for (const { kind, id, digest } of header.evidence) {
      const key = coverKey(kind, id, digest);
      const known = covering.get(key);
      if (known === undefined || (known.action === ASSEMBLED_ACTION && header.action !== ASSEMBLED_ACTION))
        covering.set(key, header);
    }
  }
  return covering;
}

/** A proven pack's documents of one kind, for whoever evaluates its decisions again. Verify first. */
export function documentsOf(
  bytes: Uint8Array,
  kind: string,
): readonly { readonly id: string; readonly document: Json }[] {
  return parsePack(bytes)
    .documents.filter((document) => document.kind === kind)
    .map(({ id, document }) => ({ id, document }));
}
