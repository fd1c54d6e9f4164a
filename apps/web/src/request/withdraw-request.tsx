import { Undo2 } from 'lucide-react';
import { useState } from 'react';
import type { PlanRequestDetailView } from '#lib/api-schemas';
import { api } from '../api/client.js';
import { Button } from '../components/button.js';
import { Dialog } from '../components/dialog.js';
import { ErrorNote } from '../components/error-note.js';
import { useChange } from '../settings/use-change.js';
import { useMayChange } from '../task/may-change.js';

/** Takes a request back that nothing was started by, so that it can be asked anew, such as with another start. */
export function WithdrawRequest({ request }: { readonly request: PlanRequestDetailView }) {
  const mayChange = useMayChange(request.subject.task_id);
  const [asking, setAsking] = useState(false);
  const withdraw = useChange(
    () => api.post('/v1/approval-requests/{id}/withdraw', { path: { id: request.id } }),
    '/v1/approval-requests',
    '/v1/inbox',
    '/v1/plans',
  );
  if (!mayChange || (request.state !== 'open' && request.state !== 'approved')) return null;
  const close = (): void => {
    setAsking(false);
  };
  return (
    <>
      <Button
        onClick={() => {
          setAsking(true);
        }}
      >
        <Undo2 aria-hidden className="size-4" /> Withdraw…
      </Button>
      {asking && (
        <Dialog
          title="Withdraw this request"
          description="Nobody decides on it any more, and approvals that were given are void. On the page of its plan it can be asked anew, with another start too."
          onClose={close}
        >
          <div className="flex flex-col gap-3">
            {withdraw.error !== null && <ErrorNote error={withdraw.error} />}
            <div className="flex justify-end gap-2">
              <Button onClick={close}>Cancel</Button>
              <Button
                look="danger"
                busy={withdraw.isPending}
                onClick={() => {
                  withdraw.mutate(undefined, { onSuccess: close });
                }}
              >
                Withdraw it
              </Button>
            </div>
          </div>
        </Dialog>
      )}
    </>
  );
}
