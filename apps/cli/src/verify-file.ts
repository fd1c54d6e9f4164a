import { closeSync, openSync, readSync } from 'node:fs';
import pc from 'picocolors';
import { z } from 'zod';
import {
  MAX_PACK_BYTES,
  parseApproverKeys,
  parseNoteKey,
  subjectText,
  verifyPack,
  type ApproverKey,
  type ExternalCheckpoint,
  type NoteKey,
  type Replay,
  type ShownAct,
  type VerificationReport,
} from '#lib/verifier';
import { CommandError, Ended, EXIT } from './exit-codes.js';
import { counted, safe, type Output } from './output.js';

export interface VerifyOptions {
  readonly key: readonly string[];
  readonly checkpoint?: string;
  readonly proof?: string;
  readonly approverKeys?: string;
}

/** Verifies a pack and shows the report. Only `countersign verify` loads this module and, with it, the verifier. */
export async function verifyFile(path: string, options: VerifyOptions, output: Output, replay: Replay): Promise<void> {
  const trustedKeys = trustedKeysFrom(options.key);
  const external = externalFrom(options);
  const approvers = approverKeysFrom(options.approverKeys);
  const report = await verifyPack(readBytes(path), { trustedKeys, replay, ...external, ...approvers });
  const notSigned = approvers.approverKeys === undefined ? [] : notSignedIn(report);
  output.result(viewOf(report), [...reportLines(report), ...notSignedLines(notSigned)]);
  if (report.outcome === 'refused') throw new Ended(EXIT.unverified);
  if (report.outcome === 'incomplete') throw new Ended(EXIT.incomplete);
  if (notSigned.length > 0) throw new Ended(EXIT.notSigned);
}

/** The report as every other document is written: its keys in snake_case. */
const viewOf = ({
  tenantId,
  checkpoints,
  assembled,
  notThere,
  notMade,
  documents,
  decisions,
  approvals,
  ...rest
}: VerificationReport) => ({
  ok: rest.outcome === 'verified',
  ...rest,
  tenant_id: tenantId,
  checkpoints: checkpoints.map(({ origin, treeSize, rootHash, keyName }) => ({
    origin,
    tree_size: treeSize,
    root_hash: rootHash,
    key_name: keyName,
  })),
  assembled:
    assembled === null
      ? null
      : {
          entry_id: assembled.entryId,
          occurred_at: assembled.occurredAt,
          epoch: assembled.epoch,
          leaf_index: assembled.leafIndex,
          tree_size: assembled.treeSize,
        },
  payloads_not_there: notThere.map(({ entryId, action, occurredAt }) => ({
    entry_id: entryId,
    action,
    occurred_at: occurredAt,
  })),
  checks_not_made: notMade.map(({ check, message, entryIds }) => ({ check, message, entry_ids: entryIds })),
  documents: documents.map(({ entryId, occurredAt, ...document }) => ({
    ...document,
    entry_id: entryId,
    occurred_at: occurredAt,
  })),
  decisions: {
    again: decisions.again,
    masked: decisions.masked,
    masked_alike: decisions.maskedAlike,
    unanswered: decisions.unanswered,
  },
  approvals: approvals.map(({ entryId, personId, shownBy, ...approval }) => ({
    ...approval,
    entry_id: entryId,
    person_id: personId,
    shown_by: shownBy,
  })),
});

/** Executions and changes without an approval that a kept key signed. */
const notSignedIn = ({ approvals }: VerificationReport): readonly ShownAct[] =>
  approvals.filter(({ lets, shownBy }) => lets && shownBy !== 'kept_key');

const notSignedLines = (acts: readonly ShownAct[]): string[] =>
  acts.length === 0
    ? []
    : [
        pc.yellow(
          `${counted(acts.length, 'approval')} above ${acts.length === 1 ? 'was' : 'were'} not signed with a key that you kept: for ${acts.length === 1 ? 'it' : 'them'}, you rely on the server.`,
        ),
      ];

/** The report for people: each check on a line of its own, and the verdict. */
export function reportLines(report: VerificationReport): string[] {
  const passed = [
    ...report.passed.map((line) => `${pc.green('ok')}    ${safe(line)}`),
    ...report.warnings.map((line) => pc.red(pc.bold(`!!    ${safe(line)}`))),
  ];
  if (report.failure !== null) {
    const { code, message, pointer } = report.failure;
    return [
      ...passed,
      `${pc.red('FAIL')}  ${safe(message)}`,
      `      ${code}${pointer === '' ? '' : ` at ${safe(pointer)}`}`,
      '',
      pc.red('The pack does not verify.'),
    ];
  }
  const people = report.approvals.map(
    ({ shownBy, line }) => `${shownBy === 'kept_key' ? pc.green('ok') : pc.yellow('--')}    ${safe(line)}`,
  );
  const verdict =
    report.outcome === 'verified'
      ? pc.green('Verified.')
      : pc.yellow('Verified as far as it is there; some checks could not be made.');
  return [
    ...passed,
    ...people,
    ...report.notThere.map(
      ({ entryId, action, occurredAt }) =>
        `${pc.yellow('gone')}  The payload of the entry ${safe(entryId)} (${safe(action)}, ${safe(occurredAt)}) is not there.`,
    ),
    ...report.notMade.map(({ check, message }) => `${pc.yellow('??')}    Not checked: ${safe(message)} (${check}).`),
    '',
    `${verdict} ${counted(report.entries.length, 'entry', 'entries')} and ${counted(report.documents.length, 'document')} about the ${safe(report.subject === null ? '' : subjectText(report.subject))}, as it stood when they were assembled${report.assembled === null ? '' : ` (${safe(report.assembled.occurredAt)})`}${report.notThere.length === 0 ? '' : `; ${counted(report.notThere.length, 'payload')} not there then`}.`,
  ];
}

/** An error of the command line or of a file that it names, and the action to take. */
const usage = (code: string, message: string, action: string): CommandError =>
  new CommandError(EXIT.usage, message, action, [], code);

/** The keys come from the person who verifies; without one, every pack would fail. */
function trustedKeysFrom(values: readonly string[]): NoteKey[] {
  if (values.length > 0) return values.flatMap(keysFrom);
  throw usage('verify.key_missing', 'Nothing says which keys you trust.', GIVE_KEY);
}

const GIVE_KEY =
  'Give --key FILE, a file with the audit keys that you had apart from the pack; `countersign audit keys` writes them.';

/** A key is `<name>+<hash>+<base64>`; any other text is a file of such lines. */
function keysFrom(value: string): NoteKey[] {
  const direct = parseNoteKey(value);
  if (direct !== null) return [direct];
  const lines = readBytes(value)
    .toString('utf8')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
  if (lines.length === 0) throw usage('verify.key_missing', `${value} holds no audit key.`, GIVE_KEY);
  return lines.map((line) => {
    const key = parseNoteKey(line);
    if (key === null)
      throw usage(
        'verify.key_malformed',
        `${value} holds something that is not an audit key.`,
        'A key reads <name>+<hash>+<base64>, as GET /v1/audit/keys shows it.',
      );
    return key;
  });
}

function approverKeysFrom(file: string | undefined): { approverKeys?: readonly ApproverKey[] } {
  if (file === undefined) return {};
  const read = parseApproverKeys(readBytes(file).toString('utf8'));
  if (!('line' in read)) return { approverKeys: read };
  throw usage(
    'verify.approver_keys_malformed',
    `Line ${String(read.line)} of ${file} ${read.message}.`,
    'Keep the lines of `countersign mfa keys` as they came, each from the person themself.',
  );
}

function externalFrom({ checkpoint, proof }: VerifyOptions): { externalCheckpoint?: ExternalCheckpoint } {
  if (checkpoint === undefined) {
    if (proof === undefined) return {};
    throw usage(
      'verify.proof_without_checkpoint',
      '--proof says nothing without the checkpoint that it is for.',
      'Add --checkpoint FILE, the checkpoint that you kept, or leave --proof out.',
    );
  }
  const note = readBytes(checkpoint).toString('utf8');
  return { externalCheckpoint: proof === undefined ? { note } : { note, proof: proofFrom(proof) } };
}

const proofSchema = z.object({ proof: z.array(z.string().regex(/^[0-9a-f]{64}$/)) });

function proofFrom(file: string): readonly string[] {
  const text = readBytes(file).toString('utf8');
  const read = proofSchema.safeParse(jsonOrNull(text));
  if (read.success) return read.data.proof;
  throw usage(
    'verify.proof_malformed',
    `${file} is not a consistency proof.`,
    'Keep the answer of GET /v1/audit/consistency as it came.',
  );
}

function jsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}

const CHUNK_BYTES = 1024 * 1024;

/**
 * The bytes of a file, read no further than the largest pack. A device or a pipe has no size beforehand, and gives little at a
 * time.
 */
function readBytes(file: string): Buffer {
  const chunks: Buffer[] = [];
  try {
    const descriptor = openSync(file, 'r');
    try {
      for (let size = 0; size <= MAX_PACK_BYTES;) {
        const chunk = filledFrom(descriptor);
        if (chunk.length === 0) break;
        chunks.push(chunk);
        size += chunk.length;
      }
    } finally {
      closeSync(descriptor);
    }
    return Buffer.concat(chunks);
  } catch {
    throw usage('verify.file_unreadable', `${file} cannot be read.`, 'See that the file is there and readable.');
  }
}

/** The next bytes of a file, as many as a chunk holds; fewer at its end alone. */
function filledFrom(descriptor: number): Buffer {
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  let filled = 0;
  while (filled < CHUNK_BYTES) {
    const read = readSync(descriptor, chunk, filled, CHUNK_BYTES - filled, null);
    if (read === 0) break;
    filled += read;
  }
  return chunk.subarray(0, filled);
}
