import { Option, type Command } from 'commander';
import pc from 'picocolors';
import type { ApprovalRequestDetailView } from '#lib/api-schemas';
import type { Verdict } from '#lib/formats';
import { CommandError, EXIT } from '../exit-codes.js';
import type { Io } from '../io.js';
import { indented, oneLine, state } from '../output.js';
import type { CommandContext } from '../command-context.js';
import { stepUp } from '../step-up.js';
import { quorumLines, requestLines } from '../views/request-view.js';
import { whoAsks } from '../who-asks.js';

const help = `
It shows the calls, the simulation's prediction, the reason for asking, and the changes since your last review;
to approve, you then type the beginning of the plan's digest. A script says which plan it has seen with --yes --digest.
If a second factor is asked for, you type a code of your authenticator app, too.

Examples:
  countersign review REQUEST --approve
  countersign review REQUEST --request-changes --comment "Begin with a single server."
  countersign review REQUEST --approve --yes --digest sha256:7d954e8a...
`;

interface ReviewOptions {
  readonly approve?: boolean;
  readonly reject?: boolean;
  readonly requestChanges?: boolean;
  readonly comment?: string;
  readonly yes?: boolean;
  readonly digest?: string;
}

const TYPED_CHARACTERS = 8;
const DIGEST = /^sha256:[0-9a-f]{64}$/;
const SEEN =
  'Add --yes --digest DIGEST, the digest of the plan that you have seen; `countersign show request REQUEST` shows it.';

/** `countersign review`: one person's review of a request, after they read it. */
export function addReview(program: Command, context: () => CommandContext): void {
  program
    .command('review')
    .description('approve or reject an approval request, or request changes')
    .argument('<request>', 'the approval request')
    .addOption(new Option('--approve', 'approve exactly this plan').conflicts(['reject', 'requestChanges']))
    .addOption(new Option('--reject', 'reject it; of a plan it needs a comment').conflicts('requestChanges'))
    .option('--request-changes', 'ask for another plan; needs a comment')
    .option('--comment <text>', 'why')
    .option('--yes', 'do not ask; --digest then names the plan that you have seen')
    .option('--digest <digest>', 'the digest of the plan that you have seen')
    .addHelpText('after', help)
    .action(async (id: string, options: ReviewOptions) => {
      const { client, output, io } = context();
      const verdict = verdictOf(options, output.json);
      const api = client();
      const request = await api.get('/v1/approval-requests/{id}', { path: { id } });
      output.note([...requestLines(request, await whoAsks(api, request.requester)), ''].join('\n'));
      if (options.yes !== true) await api.post('/v1/approval-requests/{id}/seen', { path: { id } });
      requireReason(request, verdict, options.comment);
      requireSeen(request, options.digest);
      if (verdict === 'approve') {
        requireEligible(request);
        if (options.yes !== true) await requireTyped(request, io);
      }
      const { digest: subject_digest } = request.subject;
      const comment = options.comment ?? '';
      const stepUpId =
        verdict === 'approve' && request.decision.obligations.mfa
          ? await stepUp(api, { output, io }, { kind: 'review', request_id: id, verdict, subject_digest, comment })
          : undefined;
      const reviewed = await api.post('/v1/approval-requests/{id}/reviews', {
        path: { id },
        body: {
          verdict,
          subject_digest,
          ...(stepUpId === undefined ? {} : { step_up_id: stepUpId }),
          ...(options.comment === undefined ? {} : { comment: options.comment }),
        },
      });
      output.result(reviewed, [
        `${state(verdict)}: ${pc.bold('approval request')} ${reviewed.id} is ${state(reviewed.state)}`,
        ...indented(quorumLines(reviewed)),
      ]);
    });
}

/** @throws {CommandError} if the command line says too little. */
function verdictOf(options: ReviewOptions, json: boolean): Verdict {
  const usage = (message: string, action: string): CommandError =>
    new CommandError(EXIT.usage, message, action, [], 'command.usage');
  if (options.digest !== undefined && !DIGEST.test(options.digest)) {
    throw usage('--digest is not a digest.', 'It reads sha256: and 64 hexadecimal digits, as the request shows it.');
  }
  if (options.approve === true) {
    if (options.yes === true && options.digest === undefined) {
      throw usage('--yes needs --digest: without a question, the command line says which plan you have seen.', SEEN);
    }
    if (json && options.yes !== true) throw usage('With --json nothing is asked.', SEEN);
    return 'approve';
  }
  if (options.reject !== true && options.requestChanges !== true) {
    throw usage('Say what you think of it.', 'Use --approve, --reject or --request-changes.');
  }
  return options.reject === true ? 'reject' : 'request_changes';
}

/** @throws {CommandError} if the submitter of a plan would not know what to change. */
function requireReason({ subject }: ApprovalRequestDetailView, verdict: Verdict, comment = ''): void {
  if (verdict === 'approve' || subject.type !== 'plan' || comment.trim() !== '') return;
  throw new CommandError(EXIT.usage, 'Say what is wrong with it.', 'Add --comment.', [], 'command.usage');
}

/** @throws {CommandError} if the request is about another plan than the reviewer has seen. */
function requireSeen(request: ApprovalRequestDetailView, digest: string | undefined): void {
  if (digest === undefined || digest === request.subject.digest) return;
  throw new CommandError(
    EXIT.refused,
    'The request is about another plan than the one you have seen.',
    `Look at it again: countersign show request ${request.id}`,
    [],
    'review.other_plan',
  );
}

/** @throws {CommandError} if policy would refuse the approval anyway. */
function requireEligible({ may_review: may }: ApprovalRequestDetailView): void {
  if (may.outcome === 'allow') return;
  throw new CommandError(
    EXIT.refused,
    'Policy does not let you approve it.',
    may.action ?? 'Read the reasons; people they do not name may.',
    may.reasons.map((reason) => `${oneLine(reason.message)} (${reason.rule})`),
    'policy.denied',
  );
}

/** @throws {CommandError} if something else is typed. */
async function requireTyped(request: ApprovalRequestDetailView, io: Io): Promise<void> {
  const wanted = request.subject.digest.replace(/^sha256:/, '').slice(0, TYPED_CHARACTERS);
  io.err(`Type the first ${String(TYPED_CHARACTERS)} characters of the plan digest (after sha256:) to approve: `);
  const typed = await io.readLine();
  if (typed?.trim().replace(/^sha256:/, '') === wanted) return;
  if (typed === null) io.err('\n');
  throw new CommandError(
    typed === null ? EXIT.usage : EXIT.refused,
    'Nothing was approved: that is not how the plan digest begins.',
    typed === null ? 'If nobody can be asked, use --yes and --digest.' : 'Read the plan again, and type it.',
    [],
    'review.digest_not_typed',
  );
}
