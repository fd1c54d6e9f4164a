import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Json } from '#lib/canonical';
import { MAX_AUTONOMY_BYTES, type AutonomyDocument } from '#lib/formats';
import {
  digestOf,
  done,
  err,
  newId,
  ok,
  type AuditSink,
  type AutonomyRevisionId,
  type CarriesOutChange,
  type ConfirmedChange,
  type Failure,
  type FieldError,
  type Guarded,
  type TwoPersonRule,
  type ChangeAuthority,
  type PersonId,
  type Principal,
  type Result,
  type Tx,
  type UnitOfWork,
} from '#lib/kernel';
import { requireAdmin, type ToolRegistry } from '#lib/tool';
import { checkFreezes } from '../domain/check-freezes.js';
import { compareCells, type CellChange, type IsLooser } from '../domain/compare-cells.js';
import { documentRefusal } from '../domain/document-refusal.js';
import { cellsInWords } from '../domain/loosened.js';
import { loosenedBesideCells } from '../domain/loosened-beside-cells.js';
import { unknownNames } from '../domain/known-names.js';
import { inReadingOrder, readDocument, type SourcedDocument } from '../domain/read-document.js';
import { settingsWithoutEffect } from '../domain/settings-without-effect.js';
import { unifiedDiff } from '../domain/unified-diff.js';
import type {
  AutonomyRepository,
  AutonomyRevision,
  EnvironmentList,
  NewAutonomyRevision,
  NotifiedDestinations,
  RoleCensus,
} from './autonomy.ports.js';
import { checkApprovers } from './check-approvers.js';
import { checkNotified } from './check-notified.js';
import type { Matrix, MatrixCell } from './matrix.js';

/** A cell that the document changes. */
export interface ChangedCell extends CellChange {
  readonly before: MatrixCell;
  readonly after: MatrixCell;
}

export interface AutonomyChangeResult {
  /** False if these bytes are in force already. Then there is no new revision. */
  readonly changed: boolean;
  /** The revision now in force; in a dry run the one that would be replaced. */
  readonly revision: Omit<AutonomyRevision, 'createdByName'> | null;
  readonly diff: string;
  readonly cells: readonly ChangedCell[];
  /** The loosening in words. A document that loosens waits for a second person. */
  readonly loosens: readonly string[];
  readonly warnings: readonly FieldError[];
}

export interface PutAutonomyOptions {
  readonly dryRun: boolean;
  /** Throws if the change was made from another revision than the one in force. Gets the SHA-256 of that one's source. */
  readonly requireCurrent: (sourceSha256: string | null) => void;
}

const MAX_WARNINGS = 50;
/** How many changed cells a change request shows. Its words cover all of them. */
const MAX_CELLS = 500;

interface PutAutonomyDeps {
  readonly uow: UnitOfWork;
  readonly revisions: AutonomyRepository;
  readonly tools: ToolRegistry;
  readonly environments: EnvironmentList;
  readonly census: RoleCensus;
  readonly destinations: NotifiedDestinations;
  readonly matrix: Matrix;
  readonly isLooser: IsLooser;
  readonly twoPersonRule: TwoPersonRule;
  readonly audit: AuditSink;
}

/**
 * Puts a new autonomy document in force, or shows the changes in a dry run. A refused document changes nothing: the old one
 * stays in force. A document that loosens anything waits for a second person as a whole.
 *
 * Codes: `autonomy.too_large`, `autonomy.unreadable` (not YAML), `autonomy.invalid` (YAML with a wrong setting, or one
 * that would open the gate); each error with line and column.
 */
export class PutAutonomy implements CarriesOutChange<WantedDocument> {
  readonly payload = wantedDocument;

  constructor(private readonly deps: PutAutonomyDeps) {}

  async execute(
    principal: Principal,
    source: string,
    options: PutAutonomyOptions,
  ): Promise<Result<Guarded<AutonomyChangeResult>>> {
    const admin = requireAdmin(principal);
    if (!admin.ok) return admin;
    const sourced = read(source);
    if (!sourced.ok) return sourced;
    return this.deps.uow.run(principal.tenantId, async (tx) => {
      const standing = await this.deps.revisions.lockForChange(tx);
      if (!options.dryRun) options.requireCurrent(standing?.sourceSha256 ?? null);
      return this.#change(tx, admin.value, { source, sourced: sourced.value, standing, dryRun: options.dryRun });
    });
  }

  async carryOut(
    tx: Tx,
    change: ConfirmedChange,
    { source }: WantedDocument,
  ): Promise<Result<Guarded<AutonomyChangeResult>>> {
    const sourced = read(source);
    if (!sourced.ok) return sourced;
    const standing = await this.deps.revisions.lockForChange(tx);
    return this.#change(tx, change, { source, sourced: sourced.value, standing, dryRun: false });
  }

  async #change(
    tx: Tx,
    authority: ChangeAuthority,
    { source, sourced, standing, dryRun }: Attempt,
  ): Promise<Result<Guarded<AutonomyChangeResult>>> {
    const now = await tx.now();
    const [tools, environments, census] = [
      await this.deps.tools.list(tx),
      await this.deps.environments.all(tx),
      await this.deps.census.count(tx),
    ];
    const known = {
      environments: environments.map(({ name }) => name),
      tools: tools.map(({ name }) => name),
      roles: census.roles,
    };
    const unknown = unknownNames(sourced, known);
    const findings = checkApprovers(tx, now, this.deps.matrix, sourced, environments, census);
    const notified = await checkNotified(tx, this.deps.destinations, sourced, standing?.document ?? null);
    const errors = inReadingOrder([...unknown, ...checkFreezes(sourced), ...findings.errors, ...notified.errors]);
    if (errors.length > 0) return err(refusal(errors));
    const warnings = inReadingOrder([
      ...findings.warnings,
      ...notified.warnings,
      ...settingsWithoutEffect(sourced, environments),
    ]).slice(0, MAX_WARNINGS);
    const nothing = { diff: '', cells: [], loosens: [], warnings };
    if (standing?.source === source)
      return ok({ outcome: 'done', value: { changed: false, revision: standing, ...nothing }, alone: false });

    const before = await this.deps.matrix.cells(tx, now, standing?.document ?? null, tools, environments);
    const after = await this.deps.matrix.cells(tx, now, sourced.document, tools, environments);
    const cells = this.#changedCells(before, after);
    const number = (standing?.number ?? 0) + 1;
    const diff = unifiedDiff(
      { name: standing === null ? '/dev/null' : `revision ${String(standing.number)}`, source: standing?.source ?? '' },
      { name: `revision ${String(number)}`, source },
    );
    const loosens = [
      ...cellsInWords(cells.filter(({ change }) => change !== 'tightens').map(spelt)),
      ...loosenedBesideCells(standing?.document ?? null, sourced.document),
    ];
    if (dryRun)
      return ok({
        outcome: 'done',
        value: { changed: true, revision: standing, diff, cells, loosens, warnings },
        alone: false,
      });
    const payload: WantedDocument = { source };
    const admission = await this.deps.twoPersonRule.admit(tx, authority, {
      kind: 'autonomy',
      subject: { type: 'autonomy', id: 'document' },
      what:
        standing === null
          ? 'The first autonomy document'
          : `A change to revision ${String(standing.number)} of the autonomy document`,
      payload: { ...payload },
      base: { source_sha256: standing?.sourceSha256 ?? null },
      loosens,
      detail: { diff, cells: cells.slice(0, MAX_CELLS).map(spelt), cells_changed: cells.length },
    });
    if (!admission.ok) return admission;
    if (admission.value.outcome === 'waits') return ok(admission.value);
    const { admitted } = admission.value;
    const next = revisionOf(source, sourced.document, { number, createdAt: now, createdBy: admitted.authorId });
    await this.deps.revisions.put(tx, next);
    await this.deps.twoPersonRule.outdate(tx, admitted, {
      kind: 'autonomy',
      subjectId: 'document',
      why: `Revision ${String(number)} came into force, and this was a change to the one before it.`,
      base: () => ({ source_sha256: next.sourceSha256 }),
    });
    await this.deps.audit.record(tx, {
      action: 'autonomy.changed',
      actor: admitted.actor,
      level: 'full',
      subject: { type: 'autonomy_revision', id: next.revisionId },
      payload: {
        from: standing?.number ?? null,
        to: next.number,
        digest: next.digest,
        diff,
        cells: cells.map(({ change, what, after: cell }) => ({
          tool: cell.tool.name,
          environment: cell.environment.name,
          change,
          what,
        })),
        ...admitted.provenance,
      },
    });
    return ok(done({ changed: true, revision: next, diff, cells, loosens, warnings }, admitted));
  }

  #changedCells(before: readonly MatrixCell[], after: readonly MatrixCell[]): ChangedCell[] {
    return after.flatMap((cell, index) => {
      const earlier = before[index];
      const change = earlier === undefined ? null : compareCells(earlier.decision, cell.decision, this.deps.isLooser);
      return earlier === undefined || change === null ? [] : [{ ...change, before: earlier, after: cell }];
    });
  }
}

const wantedDocument = z.strictObject({ source: z.string() });
type WantedDocument = z.infer<typeof wantedDocument>;

interface Attempt {
  readonly source: string;
  readonly sourced: SourcedDocument;
  readonly standing: AutonomyRevision | null;
  readonly dryRun: boolean;
}

function read(source: string): Result<SourcedDocument> {
  if (Buffer.byteLength(source) > MAX_AUTONOMY_BYTES) return err(tooLarge);
  const sourced = readDocument(source);
  return sourced.ok ? sourced : err(refusal(sourced.error));
}

/** A changed cell as a change request shows it. */
const spelt = ({ change, what, before, after }: ChangedCell) => ({
  tool: after.tool.name,
  environment: after.environment.name,
  change,
  what: [...what],
  before: before.decision.outcome,
  after: after.decision.outcome,
});

function revisionOf(
  source: string,
  document: AutonomyDocument,
  put: { readonly number: number; readonly createdAt: number; readonly createdBy: PersonId },
): NewAutonomyRevision {
  return {
    ...put,
    revisionId: newId<AutonomyRevisionId>(),
    document,
    // A schema read it from JSON.
    digest: digestOf('autonomy', document as Json),
    source,
    sourceSha256: createHash('sha256').update(source, 'utf8').digest('hex'),
  };
}

const tooLarge: Failure = {
  kind: 'too_large',
  code: 'autonomy.too_large',
  message: `An autonomy document has at most ${String(MAX_AUTONOMY_BYTES)} bytes.`,
  action: 'Say per tool only what differs from its environment.',
};

const refusal = (errors: readonly FieldError[]): Failure =>
  documentRefusal('autonomy', 'The document is refused; the one in force stays.', errors);
