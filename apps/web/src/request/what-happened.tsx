import { Link } from 'react-router';
import type { ApprovalRequestDetailView, PlanRequestDetailView } from '#lib/api-schemas';
import { ownMember } from '#lib/canonical';
import { useDirectory } from '../api/directory.js';
import { useTask } from '../api/tasks.js';
import { InertText } from '../components/agent-text.js';
import { StateBadge } from '../components/state-badge.js';
import { TimeAgo } from '../components/times.js';

/** The reason why the request closed and the next step; for an open one, the request that it replaced. */
export function WhatHappened({ request }: { readonly request: ApprovalRequestDetailView }) {
  const { closed_reason: reason, changed_since_opened: changed } = request;
  const replaces = 'call' in request ? null : request.replaces;
  const stale = changed.length > 0 && request.state === 'open';
  return (
    <>
      {replaces !== null && (
        <p className="text-sm text-muted">
          It takes the index of{' '}
          <Link className="text-accent underline" to={`/requests/${replaces.request_id}`}>
            the request for revision {replaces.revision}
          </Link>
          , <Ending state={replaces.state} />.
        </p>
      )}
      {(reason !== null || stale) && (
        <div role="status" className="flex flex-col gap-2 rounded-lg border border-warn/40 bg-warn-soft p-3 text-sm">
          {reason !== null && <Closed request={request} reason={reason} />}
          {stale && (
            <p>
              Changed since this was asked:{' '}
              {changed.map(({ member, names }) => [member, ...names].join(' ')).join(', ')}. A review would void the
              request.
            </p>
          )}
        </div>
      )}
    </>
  );
}

const ENDINGS: Readonly<Record<string, string>> = {
  denied: 'which was rejected',
  changes_requested: 'which was sent back for changes',
  expired: 'which expired',
  voided: 'which became void',
};

const Ending = ({ state }: { readonly state: string }) => ownMember(ENDINGS, state) ?? 'which is closed';

function Closed({
  request,
  reason,
}: {
  readonly request: ApprovalRequestDetailView;
  readonly reason: NonNullable<ApprovalRequestDetailView['closed_reason']>;
}) {
  const last = request.reviews.findLast(
    ({ verdict, replaced_at: replaced }) => verdict !== 'approve' && replaced === null,
  );
  const decided = request.state === 'denied' || request.state === 'changes_requested';
  return (
    <>
      <p className="flex flex-wrap items-center gap-2">
        <StateBadge state={request.state} />
        <span>
          {decided && last !== undefined ? (
            <>
              <InertText text={last.person.display_name} />{' '}
              {request.state === 'denied' ? 'rejected it' : 'asked for changes'}
              {last.comment !== '' && (
                <>
                  : “<InertText text={last.comment} />”
                </>
              )}
            </>
          ) : (
            <InertText text={reason.message} />
          )}{' '}
          {request.closed_at !== null && (
            <span className="text-muted">
              <TimeAgo at={request.closed_at} />
            </span>
          )}
        </span>
      </p>
      {!('call' in request) && <Next request={request} />}
    </>
  );
}

/** The next step, so that the requester does not wait in vain. */
function Next({ request }: { readonly request: PlanRequestDetailView }) {
  const { nameOf } = useDirectory();
  const { data: task } = useTask(request.subject.task_id);
  const { replaced_by: next } = request;
  if (next !== null)
    return (
      <p>
        Next:{' '}
        <Link className="font-medium text-accent underline" to={`/requests/${next.request_id}`}>
          the request for revision {next.revision}
        </Link>{' '}
        took its index. <StateBadge state={next.state} />
      </p>
    );
  if (task === undefined) return null;
  if (task.state === 'cancelled') return <p>Nothing comes next: the task is cancelled.</p>;
  if (task.state !== 'created' && task.state !== 'planned') return null;
  const who = <InertText text={nameOf(task.submitted_by)} />;
  if (request.state === 'expired' || request.closed_reason?.code === 'approval.withdrawn')
    return (
      <p>
        Next: {who} may ask for approval of{' '}
        <Link className="text-accent underline" to={`/plans/${request.subject.id}`}>
          the plan
        </Link>{' '}
        again.
      </p>
    );
  return <p>Next: {who} may submit a new revision, and ask for its approval.</p>;
}
