import type { ReviewView } from '#lib/api-schemas';
import { InertText } from '../components/agent-text.js';
import { proofWords } from '../components/proof-words.js';
import { StateBadge } from '../components/state-badge.js';
import { TimeAgo } from '../components/times.js';

/** Every review in order; a replaced one stays, struck through. */
export function Reviews({ reviews }: { readonly reviews: readonly ReviewView[] }) {
  if (reviews.length === 0) return <p className="text-sm text-muted">Nobody has reviewed it yet.</p>;
  return (
    <ul className="flex flex-col gap-3 text-sm">
      {reviews.map((review) => (
        <li key={review.id}>
          <p className="flex flex-wrap items-center gap-2">
            <span className={`font-medium ${review.replaced_at === null ? '' : 'line-through'}`}>
              <InertText text={review.person.display_name} />
            </span>
            <StateBadge state={review.verdict} />
            <span className="text-muted">
              {review.confirm_word !== null && `with the word ${review.confirm_word}, `}
              {review.always && 'for later calls like it too, '}
              {review.verdict === 'approve' && `${proofWords(review.mfa_method)}, `}
              {review.roles.length > 0 && `as ${review.roles.join(', ')}, `}
              {review.stands_in_for !== null && (
                <>
                  standing in for <InertText text={review.stands_in_for.display_name} />,{' '}
                </>
              )}
              <TimeAgo at={review.created_at} />
              {review.replaced_at !== null && ', replaced by a later one'}
            </span>
          </p>
          {review.known_by.length > 0 && (
            <p className="text-xs text-muted">
              <InertText text={review.known_by.join('; ')} />
              {review.shares_vote_with.length > 0 && (
                <>
                  ; one vote together with{' '}
                  <InertText text={review.shares_vote_with.map(({ display_name: name }) => name).join(', ')} />
                </>
              )}
            </p>
          )}
          {review.comment !== '' && (
            <p className="mt-1 whitespace-pre-wrap">
              <InertText text={review.comment} />
            </p>
          )}
        </li>
      ))}
    </ul>
  );
}
