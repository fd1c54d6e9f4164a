import { bytesToHex } from '@noble/hashes/utils.js';
import type { EntryHeader } from './audit-entry.js';
import type { ApproverKey } from './approver-keys.js';
import { checkApprovers, type ShownAct } from './check-approvers.js';
import { checkChange } from './check-change.js';
import { checkComments } from './check-comments.js';
import { checkCheckpoints, checkConsistency, checkExternal, type ExternalCheckpoint } from './check-checkpoints.js';
import { checkDecisions, type DecisionsAgain } from './check-decisions.js';
import { checkAssembly, checkDocuments, type CoveredDocument } from './check-documents.js';
import { checkEntries } from './check-entries.js';
import { checkPayloads, type AbsentPayload } from './check-payloads.js';
import { checkAutomationRun } from './check-automation-run.js';
import { checkSession } from './check-session.js';
import { checkStory } from './check-story.js';
import { checksNotMade, type CheckNotMade } from './checks-not-made.js';
import type { PackSubject } from './pack-shape.js';
import { parsePack } from './parse-pack.js';
import type { Replay } from './replay-decisions.js';
import type { NoteKey } from './signed-note.js';
import { Failed, refuse, type VerificationFailure } from './verification-failure.js';

/** The result of an offline check. */
export interface VerificationReport {
  /**
   * `incomplete`: the check found nothing wrong, but payloads were gone when the pack was assembled. `verified` only if
   * everything was checked that no mask covers: see `notMade` and `decisions`.
   */
  readonly outcome: 'verified' | 'incomplete' | 'refused';
  readonly failure: VerificationFailure | null;
  /** The checks that were made, in order, as lines for people. */
  readonly passed: readonly string[];
  /** Facts that are proven and no comfort: they are shown with a warning, never with a tick. */
  readonly warnings: readonly string[];
  readonly tenantId: string | null;
  /** The subject of the pack; null if it could not be read. */
  readonly subject: PackSubject | null;
  readonly checkpoints: readonly {
    readonly origin: string;
    readonly treeSize: number;
    readonly rootHash: string;
    readonly keyName: string;
  }[];
  /** The time and the entry of the assembly: the pack says nothing of later events. */
  readonly assembled: {
    readonly entryId: string;
    /** ISO 8601 UTC with milliseconds. */
    readonly occurredAt: string;
    readonly epoch: number;
    readonly leafIndex: number;
    /** Of the signed log that the pack is proven by. */
    readonly treeSize: number;
  } | null;
  readonly entries: readonly EntryHeader[];
  /** Entries without a payload when the pack was assembled; their headers are proven all the same. */
  readonly notThere: readonly AbsentPayload[];
  /** Checks that need those payloads, or arguments that are masked; neither passed nor failed. */
  readonly notMade: readonly CheckNotMade[];
  readonly documents: readonly CoveredDocument[];
  readonly decisions: DecisionsAgain;
  /** The acts of people, with their proofs. */
  readonly approvals: readonly ShownAct[];
}

/** The checker's own part. */
export interface VerifyOptions {
  /** Keys that were received apart from the pack. */
  readonly trustedKeys: readonly NoteKey[];
  /** A checkpoint that was kept outside: shows that history was not rewritten since. */
  readonly externalCheckpoint?: ExternalCheckpoint;
  /** Passkeys of people, received apart from the pack. */
  readonly approverKeys?: readonly ApproverKey[];
  /** Runs `replayDecisions` where it can be stopped: the pack's policies are programs. */
  readonly replay: Replay;
}

/**
 * Checks an evidence pack offline: no server, no network, no clock. Stops at the first thing that fails, and names it.
 * The keys come from the caller alone: a pack that brings its own is refused like any unknown member.
 */
export async function verifyPack(bytes: Uint8Array, options: VerifyOptions): Promise<VerificationReport> {
  const report: { -readonly [Key in keyof VerificationReport]: VerificationReport[Key] } & {
    passed: string[];
    warnings: string[];
  } = {
    outcome: 'refused',
    failure: null,
    passed: [],
    warnings: [],
    tenantId: null,
    subject: null,
    checkpoints: [],
    assembled: null,
    entries: [],
    notThere: [],
    notMade: [],
    documents: [],
    decisions: { again: 0, masked: 0, maskedAlike: 0, unanswered: 0 },
    approvals: [],
  };
  try {
    const pack = parsePack(bytes);
    report.tenantId = pack.tenantId;
    report.subject = pack.subject;
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
    report.passed.push(
      `${counted(pack.entries.length, 'audit entry', 'audit entries')} proven to be in the log; no payload was changed.`,
    );

    const assembly = checkAssembly(pack);
    report.notThere = checkPayloads(pack, assembly);
    report.documents = checkDocuments(pack, assembly.header);
    report.passed.push(
      `${counted(pack.documents.length, 'document')} covered by proven entries; nothing that was assembled is missing.`,
    );
    const { header, epoch, leafIndex } = assembly;
    const treeSize = checkpoints.get(epoch)?.checkpoint.treeSize ?? 0;
    report.assembled = { entryId: header.id, occurredAt: header.occurred_at, epoch, leafIndex, treeSize };
    report.passed.push(
      `Assembled ${header.occurred_at}, as entry ${String(leafIndex + 1)} of a log of ${String(treeSize)} (epoch ${String(epoch)}): of what came later, this pack says nothing.`,
    );

    report.decisions = await checkDecisions(pack, options.replay);
    report.passed.push(...decisionLines(report.decisions));
    const warn = (line: string): void => void report.warnings.push(line);
    for (const line of STORIES[pack.subject.type](pack, refuse, warn)) report.passed.push(line);
    report.passed.push(...checkComments(pack, refuse));
    report.approvals = checkApprovers(pack, options.approverKeys ?? null, refuse);
    report.notMade = checksNotMade(pack);
    report.outcome = report.notThere.length === 0 ? 'verified' : 'incomplete';
  } catch (error) {
    if (!(error instanceof Failed)) throw error;
    report.failure = error.failure;
  }
  return report;
}

/** The story of each kind of subject. */
const STORIES = {
  plan: checkStory,
  change_request: checkChange,
  session: checkSession,
  automation_run: checkAutomationRun,
} as const;

function decisionLines({ again, masked, maskedAlike, unanswered }: DecisionsAgain): string[] {
  const lines: string[] = [];
  if (again > 0) lines.push(`${counted(again, 'decision')} taken again from the recorded facts, with the same result.`);
  if (masked > 0)
    lines.push(
      `${counted(masked, 'decision')} could not be taken again to the letter, since secrets are masked in the facts; ${String(maskedAlike)} come out alike without them.`,
    );
  if (unanswered > 0) lines.push(`${counted(unanswered, 'deny', 'denies')} given because no policy answered.`);
  return lines;
}

const counted = (count: number, one: string, many = `${one}s`): string =>
  `${String(count)} ${count === 1 ? one : many}`;
