import { Undo2 } from 'lucide-react';
import type { PlanRequestDetailView } from '#lib/api-schemas';
import { api } from '../api/client.js';
import { AskFirst } from '../components/ask-first.js';
import { useChange } from '../settings/use-change.js';
import { useMayChange } from '../task/may-change.js';

/** Takes a request back that nothing was started by. So it can be asked anew, such as with another start. */
export function WithdrawRequest({ request }: { readonly request: PlanRequestDetailView }) {
  const mayChange = useMayChange(request.subject.task_id);
  const withdraw = useChange(
    () => api.post('/v1/approval-requests/{id}/withdraw', { path: { id: request.id } }),
    '/v1/approval-requests',
    '/v1/inbox',
    '/v1/plans',
  );
  if (!mayChange || (request.state !== 'open' && request.state !== 'approved')) return null;
  return (
    <AskFirst
      label={
        <>
          <Undo2 aria-hidden className="size-4" /> Withdraw…
        </>
      }
      look="secondary"
      title="Withdraw this request"
      act="Withdraw it"
      change={withdraw}
    >
      <p>
        Nobody decides on it any more, and approvals that were given are void. On the page of its plan it can be asked
        anew, with another start too.
      </p>
    </AskFirst>
  );
}
