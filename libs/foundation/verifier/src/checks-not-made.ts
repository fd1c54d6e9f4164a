import { ownMember } from '#lib/canonical';
import { idWithin } from './audit-entry.js';
import { hasMaskedArguments } from './check-call-arguments.js';
import type { Pack, PackEntry } from './pack-shape.js';
import { AUTOMATION_RUN_CHECKS } from './automation-checks-not-made.js';
import { SESSION_CHECKS } from './session-checks-not-made.js';
import type { VerificationCode } from './verification-failure.js';

/** A check that needs a payload which is not there, or arguments without masks. It was neither passed nor failed. */
export interface CheckNotMade {
  /** The code that the check would have refused with. */
  readonly check: VerificationCode;
  readonly message: string;
  readonly entryIds: readonly string[];
}

/** Which checks read the payload of an entry, by its action. */
type Reader = (entry: PackEntry, pack: Pack) => readonly (readonly [VerificationCode, string])[];

const ofApproval =
  (...checks: readonly (readonly [VerificationCode, string])[]): Reader =>
  ({ header }) =>
    checks.map(([check, what]) => [check, `${what} ${header.subject.id}`]);

const digestOfApproval = ['story.approval_digest', 'exactly this plan was bound by the approval'] as const;
const quorumOfApproval = ['story.quorum', 'the right people, none of them barred, gave the approval'] as const;

const ranTree = ['story.executed_tree', 'no runner executed another tree of a command line than it was sent'] as const;

const readers: Readonly<Record<string, Reader>> = {
  'approval_request.opened': ofApproval(digestOfApproval, quorumOfApproval),
  'approval_request.approved': ofApproval(digestOfApproval, quorumOfApproval, [
    'story.run_without_approval',
    'a run used the same binding as the approval',
  ]),
  'review.submitted': ofApproval(digestOfApproval, quorumOfApproval),
  'approval_request.consumed': ofApproval([
    'story.run_without_approval',
    'a run used the same binding as the approval',
  ]),
  'run.step_dispatched': () => [['story.executed_digest', 'each call that was sent stands in the plan']],
  'run.compensation_dispatched': () => [['story.executed_digest', 'each call that was sent stands in the plan']],
  'run.step_succeeded': () => [ranTree],
  'run.compensation_succeeded': () => [ranTree],
  'run.created': ({ header }, pack) =>
    pack.documents.some(({ kind, id }) => kind === 'run' && id === idWithin(header, 'run'))
      ? []
      : [
          [
            'story.break_glass_incident',
            `an incident belongs to the run ${idWithin(header, 'run') ?? ''} if it was break-glass`,
          ],
          ['story.run_without_approval', `the run ${idWithin(header, 'run') ?? ''} used the approval that it names`],
        ],
  'change.requested': ({ header }) => [
    ['story.change_confirmed', `the person who confirmed the change ${header.subject.id} gains nothing by it`],
    ['story.change_confirmed', `the person who confirmed the change ${header.subject.id} held the role that it took`],
  ],
  'change.confirmed': ({ header }) => [
    ['story.change_confirmed', `the person who confirmed the change ${header.subject.id} held the role that it took`],
    ['story.change_confirmed', `the person who confirmed the change ${header.subject.id} proved a second factor`],
  ],
};

/** Lists the checks that could not be made, by name: their payload is not there, or its arguments are masked. */
export function checksNotMade(pack: Pack): CheckNotMade[] {
  const found = new Map<string, { check: VerificationCode; message: string; entryIds: string[] }>();
  for (const entry of pack.entries) {
    const missing = entry.facts === null ? readersOf(entry, pack) : hasMaskedArguments(entry) ? [ofMasked(entry)] : [];
    for (const [check, message] of missing) {
      const known = found.get(`${check}\n${message}`);
      if (known === undefined) found.set(`${check}\n${message}`, { check, message, entryIds: [entry.header.id] });
      else known.entryIds.push(entry.header.id);
    }
  }
  return [...found.values()];
}

const ofMasked = ({ header }: PackEntry): readonly [VerificationCode, string] => [
  'story.call_changed',
  `the arguments of the call ${header.subject.id} are not verifiable, since "[masked]" is in them`,
];

const readersOf = (entry: PackEntry, pack: Pack): ReturnType<Reader> => {
  const { action, subject } = entry.header;
  if (pack.subject.type === 'automation_run')
    return (AUTOMATION_RUN_CHECKS.get(action) ?? []).map(([check, message]) => [
      check,
      message.replace('ID', subject.id),
    ]);
  if (pack.subject.type === 'session')
    return (SESSION_CHECKS.get(action) ?? []).map(([check, message]) => [check, message.replace('ID', subject.id)]);
  return ownMember(readers, action)?.(entry, pack) ?? [];
};

/** Whether a payload is missing that says how the request was approved. */
export const quorumUnknown = (pack: Pack, requestId: string): boolean =>
  pack.entries.some(
    ({ header, facts }) =>
      facts === null &&
      header.subject.id === requestId &&
      (header.action === 'review.submitted' || header.action === 'approval_request.opened'),
  );
