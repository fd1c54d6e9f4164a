import { useQuery } from '@tanstack/react-query';
import type { ApprovalRequestDetailView } from '#lib/api-schemas';
import { queryOf } from '../api/query.js';
import { useSignedIn } from '../api/browser-session.js';
import { InertText } from '../components/agent-text.js';

/** The people who could fill the open seats, by name; a notice if there are none. */
export function PossibleReviewers({ request }: { readonly request: ApprovalRequestDetailView }) {
  const { person } = useSignedIn();
  const { data } = useQuery(queryOf('/v1/approval-requests/{id}/reviewers', { path: { id: request.id } }));
  if (data === undefined) return null;
  const shortage = request.could_approve?.warning ?? null;
  if (shortage !== null)
    return (
      <p role="status" className="rounded-lg bg-warn-soft p-3 text-sm">
        <InertText text={shortage} />
      </p>
    );
  if (data.items.length === 0)
    return (
      <p className="rounded-lg bg-warn-soft p-3 text-sm">
        Nobody could approve it now: nobody else holds such a role with a vote of their own. {request.ways_to_a_vote}
      </p>
    );
  return (
    <div className="text-sm">
      <p className="text-muted">Could review it:</p>
      <ul aria-label="Who could review it" className="mt-1 flex flex-col gap-1">
        {data.items.map(({ id, display_name: name, known_by: known }) => (
          <li key={id}>
            <InertText text={name} />
            {id === person.id && <span className="text-muted"> (you)</span>}
            {known.length > 0 && (
              <span className="block text-xs text-muted">
                <InertText text={known.join('; ')} />
              </span>
            )}
          </li>
        ))}
        {data.more > 0 && <li className="text-muted">and {data.more} more</li>}
      </ul>
    </div>
  );
}
