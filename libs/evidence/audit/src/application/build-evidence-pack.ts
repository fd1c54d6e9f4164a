import { bytesToHex } from '@noble/hashes/utils.js';
import { canonicalJson, type Json, type JsonObject } from '#lib/canonical';
import {
  digestText,
  err,
  notFound,
  ok,
  type Actor,
  type AuditEntryId,
  type AutomationRunId,
  type ChangeRequestId,
  type DigestKind,
  type EvidenceRef,
  type Failure,
  type PlanId,
  type Result,
  type SessionId,
  type SubjectRef,
  type TenantId,
  type Tx,
  type UnitOfWork,
} from '#lib/kernel';
import { ASSEMBLED_ACTION, EVIDENCE_FORMAT, originOf, parseCheckpoint } from '#lib/verifier';
import { headerOf, type StoredEntry } from '../domain/audit-entry.js';
import { mayBeBeyond, PACK_BOUNDS } from '../domain/pack-bounds.js';
import { consistencyRanges, inclusionRanges } from '../domain/merkle-tree.js';
import type {
  AuditEntryReader,
  AuditTreeStore,
  CheckpointStore,
  EvidenceSubject,
  SignedCheckpoint,
} from './audit.ports.js';
import { rangeHashes } from './read-audit.js';
import type { RecordAudit } from './record-audit.js';
import type { SequenceAudit } from './sequence-audit.js';

/** A document of a stage, exactly as it was digested when its action recorded it. */
export interface EvidenceDocument {
  readonly kind: DigestKind;
  readonly id: string;
  readonly document: Json;
}

/** A stage's contribution to the evidence of a plan, a guardrail change, a session or a run of an automation. */
export interface EvidenceSource<Id = PlanId> {
  /** Names the contributor in errors and logs. */
  readonly section: string;
  /** @param around the thing that its entries happened in, as the automation of a run; absent if there is none. */
  collect(tx: Tx, id: Id, around?: SubjectRef): Promise<readonly EvidenceDocument[]>;
}

/** Hands out documents that entries of the subject fixed, by how those entries name them. */
export interface FixedEvidenceSource {
  readonly section: string;
  resolve(tx: Tx, refs: StoredEntry['evidence']): Promise<readonly EvidenceDocument[]>;
}

/** The sources of a pack, by the type of its subject. */
export interface EvidenceSources {
  readonly plan: readonly EvidenceSource[];
  readonly change_request: readonly EvidenceSource<ChangeRequestId>[];
  readonly session: readonly EvidenceSource<SessionId>[];
  readonly automation_run: readonly EvidenceSource<AutomationRunId>[];
  /** Sources of all: the documents that entries name. */
  readonly fixed: readonly FixedEvidenceSource[];
}

export interface BuildEvidencePackCommand {
  readonly subject: EvidenceSubject;
  /** The person who asks; recorded. */
  readonly actor: Actor;
  /** Checkpoint notes that the asker holds: the pack then proves that the log only grew since. */
  readonly held?: readonly string[];
}

/** How long a pack waits for a replica to show the entry of its assembly. */
const REPLICA_WITHIN_MS = 1_000;

/** Does work that only reads, perhaps from a replica. */
export type ReadsFromReplica = <T>(work: () => Promise<T>, withinMs?: number) => Promise<T>;

export interface BuildEvidencePackPorts {
  readonly uow: UnitOfWork;
  readonly entries: Pick<AuditEntryReader, 'forPack' | 'payloads' | 'payloadBytes'>;
  readonly tree: AuditTreeStore;
  readonly checkpoints: CheckpointStore;
  readonly sink: Pick<RecordAudit, 'recordEntry'>;
  readonly sequence: SequenceAudit;
  readonly sources: EvidenceSources;
  /** Reads the entries and proofs from a replica, if one shows the entry of this assembly soon enough. */
  readonly reading: ReadsFromReplica;
}

/** The parts of a pack, and the entry that lists them. */
interface Assembled {
  readonly entryId: AuditEntryId;
  /** The parts that were there at the assembly; the entry lists exactly these. */
  readonly payloads: Awaited<ReturnType<AuditEntryReader['payloads']>>;
  readonly belonging: ReadonlySet<AuditEntryId>;
  readonly documents: readonly (EvidenceDocument & EvidenceRef)[];
}

interface HeldCheckpoint {
  readonly epoch: number;
  readonly treeSize: number;
}

/**
 * Assembles the evidence of one plan, change, session or run of an automation as one canonical JSON text
 * (docs/adr/0003-evidence-packs.md). It holds the stages' documents, the entries that fixed them, and the proofs.
 * Assembling is itself recorded, and sequenced before the pack is handed out. The record has the digest of every
 * document, the id of every entry and whether its payload was there.
 */
export class BuildEvidencePack {
  constructor(
    private readonly ports: BuildEvidencePackPorts,
    /** The largest pack. Tests give a smaller one. */
    private readonly bounds = PACK_BOUNDS,
  ) {}

  /** Fails with `resource.not_found`, `audit.pack_too_large`, `audit.foreign_checkpoint` and `audit.checkpoint_ahead`. */
  async execute(tenantId: TenantId, { subject, actor, held = [] }: BuildEvidencePackCommand): Promise<Result<string>> {
    const wanted = held.map((note) => heldCheckpoint(tenantId, note));
    if (wanted.includes(null)) {
      return err({
        kind: 'unprocessable',
        code: 'audit.foreign_checkpoint',
        message: 'That is not a checkpoint of this tenant.',
        action: 'Send checkpoint notes of this tenant, byte for byte as they were published.',
      });
    }
    const { uow, sequence } = this.ports;
    const assembled = await uow.run(tenantId, (tx) => this.#assemble(tx, subject, actor, held.length));
    if (!assembled.ok) return assembled;
    while ((await sequence.execute(tenantId)).more);
    const known = wanted.filter((one) => one !== null);
    return this.ports.reading(
      () => uow.run(tenantId, (tx) => this.#prove(tx, subject, assembled.value, known)),
      REPLICA_WITHIN_MS,
    );
  }

  async #assemble(tx: Tx, subject: EvidenceSubject, actor: Actor, held: number): Promise<Result<Assembled>> {
    const known = await this.ports.entries.forPack(tx, subject, []);
    if (known.length === 0) return err(notFound(NAMES[subject.type]));
    const knownIds = known.map(({ id }) => id);
    // Before any payload is in memory.
    if ((await this.ports.entries.payloadBytes(tx, knownIds)) > this.bounds.bytes) return err(tooLarge(subject));
    const around = known.flatMap(({ within }) => within).find(({ type }) => type === 'task' || type === 'automation');
    const documents = new Map<string, EvidenceDocument & EvidenceRef>();
    const named = known.flatMap(({ evidence }) => evidence);
    let documentBytes = 0;
    for (const { kind, id, document } of await this.#collect(tx, subject, named, around)) {
      const text = canonicalJson(document);
      const digest = digestText(kind, text);
      const key = `${kind}\n${id}\n${digest}`;
      if (!documents.has(key)) documentBytes += Buffer.byteLength(text);
      documents.set(key, { kind, id, document, digest });
    }
    const sorted = [...documents].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, document]) => document);
    const belonging = await this.ports.entries.forPack(
      tx,
      subject,
      sorted.map(({ digest }) => digest),
    );
    const ids = belonging.map(({ id }) => id);
    const contentBytes = documentBytes + (await this.ports.entries.payloadBytes(tx, ids));
    if (contentBytes > this.bounds.bytes) return err(tooLarge(subject));
    const payloads = await this.ports.entries.payloads(tx, ids);
    const evidence = sorted.map(({ kind, id, digest }) => ({ kind, id, digest }));
    const event = {
      action: ASSEMBLED_ACTION,
      actor,
      level: 'full',
      subject,
      within: subject.type === 'change_request' ? [] : [...(around === undefined ? [] : [around]), subject],
      evidence,
      payload: { documents: sorted.length, entries: ids, not_there: ids.filter((id) => !payloads.has(id)) },
    } as const;
    // One more, if an epoch begins meanwhile.
    const epochs = ((await this.ports.tree.head(tx))?.epoch ?? 0) + 1;
    const unproven = {
      contents: [...sorted.map(({ document }) => document), ...[...payloads.values()].map(({ payload }) => payload)],
      contentBytes,
      // Interfaces lack the index signature of Json; all members are text, numbers, lists and null.
      headers: [...belonging.map(headerOf), event, ...evidence] as unknown as Json[],
      // Of each entry and the assembly; of each epoch the checkpoint, and the proof from the published one; from each that is held.
      proofs: ids.length + 1 + 2 * epochs + held,
    };
    if (mayBeBeyond(unproven, this.bounds)) return err(tooLarge(subject));
    const entryId = await this.ports.sink.recordEntry(tx, event);
    return ok({ entryId, payloads, belonging: new Set([...ids, entryId]), documents: sorted });
  }

  async #collect(
    tx: Tx,
    { type, id }: EvidenceSubject,
    named: StoredEntry['evidence'],
    around: SubjectRef | undefined,
  ): Promise<readonly EvidenceDocument[]> {
    const { sources } = this.ports;
    const found: EvidenceDocument[] = [];
    if (type === 'plan') for (const source of sources.plan) found.push(...(await source.collect(tx, id)));
    else if (type === 'session') for (const source of sources.session) found.push(...(await source.collect(tx, id)));
    else if (type === 'automation_run')
      for (const source of sources.automation_run) found.push(...(await source.collect(tx, id, around)));
    else for (const source of sources.change_request) found.push(...(await source.collect(tx, id)));
    for (const source of sources.fixed) found.push(...(await source.resolve(tx, named)));
    return found;
  }

  async #prove(
    tx: Tx,
    subject: EvidenceSubject,
    { entryId, payloads: assembledPayloads, belonging, documents }: Assembled,
    held: readonly HeldCheckpoint[],
  ): Promise<Result<string>> {
    const { entries, tree, checkpoints } = this.ports;
    // Later entries belong to the next pack: this one's assembly does not list them.
    const found = (
      await entries.forPack(
        tx,
        subject,
        documents.map(({ digest }) => digest),
      )
    ).filter(({ id }) => belonging.has(id));
    const leaves = await tree.leavesOf(
      tx,
      found.map(({ id }) => id),
    );
    // Payloads are handed out as the assembly found them: retention may take one in between.
    const payloads = new Map([...assembledPayloads, ...(await entries.payloads(tx, [entryId]))]);
    const withLeaves = found.flatMap((entry) => {
      const leaf = leaves.get(entry.id);
      return leaf ? [{ entry, leaf }] : [];
    });
    withLeaves.sort((a, b) => a.leaf.epoch - b.leaf.epoch || a.leaf.index - b.leaf.index);
    if (!leaves.has(entryId)) throw new Error(`The assembly ${entryId} was sequenced, and has no leaf.`);

    const epochs = [...new Set([...withLeaves.map(({ leaf }) => leaf.epoch), ...held.map(({ epoch }) => epoch)])].sort(
      (a, b) => a - b,
    );
    const packEntries: Json[] = [];
    const packCheckpoints: Json[] = [];
    const consistency: Json[] = [];
    for (const epoch of epochs) {
      const checkpoint = await checkpoints.latest(tx, epoch);
      const heldHere = held.filter((one) => one.epoch === epoch).map(({ treeSize }) => treeSize);
      if (checkpoint === null || heldHere.some((size) => size > checkpoint.treeSize))
        return err(checkpointAhead(epoch, checkpoint));
      packCheckpoints.push({ epoch, note: checkpoint.note });
      packEntries.push(...(await this.#provenEntries(tx, epoch, checkpoint.treeSize, withLeaves, payloads)));
      consistency.push(...(await this.#consistencyProofs(tx, checkpoint, heldHere)));
    }
    return ok(
      canonicalJson({
        format: EVIDENCE_FORMAT,
        tenant_id: tx.tenantId,
        subject: { type: subject.type, id: subject.id },
        checkpoints: packCheckpoints,
        consistency,
        entries: packEntries,
        documents: documents.map(({ kind, id, document }) => ({ kind, id, document })),
      }),
    );
  }

  async #provenEntries(
    tx: Tx,
    epoch: number,
    size: number,
    withLeaves: readonly {
      readonly entry: StoredEntry;
      readonly leaf: { readonly epoch: number; readonly index: number };
    }[],
    payloads: Awaited<ReturnType<AuditEntryReader['payloads']>>,
  ): Promise<Json[]> {
    const here = withLeaves.filter(({ leaf }) => leaf.epoch === epoch);
    const ranges = here.map(({ leaf }) => inclusionRanges(leaf.index, size));
    const hashes = await rangeHashes(tx, this.ports.tree, epoch, ranges.flat());
    let at = 0;
    return here.map(({ entry, leaf }, position) => {
      const payload = payloads.get(entry.id);
      return {
        epoch,
        leaf_index: leaf.index,
        // A header has members of JSON, and as an interface no index signature.
        header: headerOf(entry) as unknown as JsonObject,
        facts: payload ? { salt: bytesToHex(payload.salt), payload: payload.payload } : null,
        inclusion: hashes.slice(at, (at += ranges[position]?.length ?? 0)).map((hash) => bytesToHex(hash)),
      };
    });
  }

  /** Proofs from the checkpoints that the caller holds, and from the last published one. */
  async #consistencyProofs(tx: Tx, latest: SignedCheckpoint, held: readonly number[]): Promise<Json[]> {
    const { tree, checkpoints } = this.ports;
    const published = await checkpoints.latestPublished(tx, latest.epoch);
    const sizes = [...new Set([...held, ...(published ? [published.treeSize] : [])])].filter(
      (size) => size < latest.treeSize,
    );
    const proofs: Json[] = [];
    for (const size of sizes.sort((a, b) => a - b)) {
      const smaller = await checkpoints.ofSize(tx, latest.epoch, size);
      // A checkpoint that this log never signed gets no proof; the verifier then says that it doesn't belong.
      if (smaller === null) continue;
      const proof = await rangeHashes(tx, tree, latest.epoch, consistencyRanges(size, latest.treeSize));
      proofs.push({ epoch: latest.epoch, note: smaller.note, proof: proof.map((hash) => bytesToHex(hash)) });
    }
    return proofs;
  }
}

const NAMES = {
  plan: 'plan',
  change_request: 'change',
  session: 'session',
  automation_run: 'run of an automation',
} as const;

const tooLarge = ({ type }: EvidenceSubject): Failure => ({
  kind: 'unprocessable',
  code: 'audit.pack_too_large',
  message: `The evidence of this ${NAMES[type]} is larger than any verifier reads: 512 MiB, or 25 million values.`,
  action: 'Export its entries from the audit log. The page of each entry has its proof.',
  details: { route: 'GET /v1/audit/entries/{id}' },
});

function heldCheckpoint(tenantId: TenantId, note: string): HeldCheckpoint | null {
  const checkpoint = parseCheckpoint(note)?.checkpoint;
  const epoch = Number(checkpoint?.origin.split('/').at(-1));
  return checkpoint?.origin === originOf(tenantId, epoch) ? { epoch, treeSize: checkpoint.treeSize } : null;
}

const checkpointAhead = (epoch: number, ours: SignedCheckpoint | null) => ({
  kind: 'conflict' as const,
  code: 'audit.checkpoint_ahead',
  message: `The checkpoint you hold covers more of epoch ${String(epoch)} than this log has (${String(ours?.treeSize ?? 0)} leaves).`,
  action:
    'This database is behind what was published, as after a restore from a backup. Keep your checkpoint, and ask the operator.',
});
