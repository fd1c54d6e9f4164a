import type { JsonObject } from '#lib/canonical';
import type { ConfirmWord, Verdict } from '#lib/formats';
import { err, ok, type Failure, type Result } from '#lib/kernel';
import type { RequestFacts } from './approval-request.js';
import type { ApprovalSubject } from './approval-subject.js';

/** The members of a review that only some requests ask for or take. */
interface GivenAnswer {
  readonly verdict: Verdict;
  /** The word that the request obliges to. */
  readonly confirm_word?: string | undefined;
  /** Later calls like this one need no answer. */
  readonly always?: boolean | undefined;
}

/**
 * Whether a review has the word that the request obliges to, and an "always" only if the session alone asks. No person
 * lifts the tenant's autonomy for a session.
 *
 * @returns `review.confirm_word_required`; `review.always_not_here`, `tool_call.no_shape`.
 */
export function fittingAnswer(
  { decision }: Pick<RequestFacts, 'decision'>,
  subject: ApprovalSubject,
  { verdict, confirm_word: word, always }: GivenAnswer,
): Result<void> {
  const wanted = wordOfAnswer({ decision }, { verdict });
  if (wanted !== null && word !== wanted) return err(confirmWordRequired(wanted));
  if (always !== true) return ok(undefined);
  if (verdict !== 'approve' || !sessionAlone({ decision }, subject)) return err(notHere);
  return shapeOfAlways({ decision }, subject) === null ? err(noShape) : ok(undefined);
}

/**
 * The shape of the later calls that an approval of this request may hold for. Null if it holds for this call alone. Each destructive call wants its own word.
 */
export const shapeOfAlways = (request: Pick<RequestFacts, 'decision'>, subject: ApprovalSubject): JsonObject | null =>
  sessionAlone(request, subject) && subject.type === 'tool_call' ? subject.shape : null;

/** The word that an approval of this request takes, and a review on record holds; null for none. */
export const wordOfAnswer = (
  { decision }: Pick<RequestFacts, 'decision'>,
  { verdict }: Pick<GivenAnswer, 'verdict'>,
): ConfirmWord | null => (verdict === 'approve' ? (decision.obligations.confirm_word ?? null) : null);

const sessionAlone = ({ decision }: Pick<RequestFacts, 'decision'>, subject: ApprovalSubject): boolean =>
  subject.type === 'tool_call' &&
  subject.call.sessionId !== null &&
  decision.obligations.confirm_word === undefined &&
  decision.reasons.every(({ code }) => code.startsWith('session.'));

const confirmWordRequired = (word: string): Failure => ({
  kind: 'unprocessable',
  code: 'review.confirm_word_required',
  message: `This call destroys something. It is approved only with the word ${word}.`,
  action: `Approve it again, and type ${word}, in capital letters.`,
  errors: [{ pointer: '/confirm_word', code: 'review.confirm_word_required', message: `must be ${word}` }],
});

const notHere: Failure = {
  kind: 'unprocessable',
  code: 'review.always_not_here',
  message: 'An approval holds for later calls only if the session alone asks about this call, and for no typed word.',
  action: 'Approve this call alone.',
  errors: [
    {
      pointer: '/always',
      code: 'review.always_not_here',
      message: 'is for calls that only their session asks about, without a word',
    },
  ],
};

const noShape: Failure = {
  kind: 'unprocessable',
  code: 'tool_call.no_shape',
  message: 'Later calls cannot be told apart from this one, so each of them is asked about.',
  action: 'Approve this call alone.',
  errors: [{ pointer: '/always', code: 'tool_call.no_shape', message: 'is for calls with a shape' }],
};
