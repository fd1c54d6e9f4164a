import { MessageSquareWarning } from 'lucide-react';
import { Link } from 'react-router';
import type { ChangesAskedView } from '#lib/api-schemas';
import { useChangesAsked } from '../api/comments.js';
import { InertText } from '../components/agent-text.js';
import { TimeAgo } from '../components/times.js';

/** The changes that people asked for in earlier revisions. They explain why there is another revision. */
export function ChangesAsked({ asked }: { readonly asked: readonly ChangesAskedView[] }) {
  if (asked.length === 0) return null;
  return (
    <ul
      aria-label="Changes that were asked for"
      className="flex flex-col gap-3 rounded-lg border border-line bg-sunken p-3 text-sm"
    >
      {asked.map(({ request_id: request, revision, person, comment, created_at: at }) => (
        <li key={request + person.id} className="flex gap-2.5">
          <MessageSquareWarning aria-hidden className="mt-0.5 size-4 shrink-0 text-warn" />
          <div className="min-w-0">
            <p>
              <span className="font-medium">
                <InertText text={person.display_name} />
              </span>{' '}
              asked for changes on{' '}
              <Link className="text-accent underline" to={`/requests/${request}`}>
                revision {revision}
              </Link>
              <span className="text-muted">
                , <TimeAgo at={at} />
              </span>
            </p>
            <blockquote className="mt-0.5 break-words whitespace-pre-wrap">
              “<InertText text={comment} />”
            </blockquote>
          </div>
        </li>
      ))}
    </ul>
  );
}

/** The same for a page that is not of a request. @param before only of revisions before this one; absent: of all. */
export function ChangesAskedOfTask({ taskId, before }: { readonly taskId: string; readonly before?: number }) {
  const { data } = useChangesAsked(taskId);
  const asked = data?.items ?? [];
  return <ChangesAsked asked={before === undefined ? asked : asked.filter(({ revision }) => revision < before)} />;
}
