import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReadAutomationView } from '#lib/api-schemas';
import { api } from '../api/client.js';
import { readAgain } from '../api/query.js';
import { AskBeforeLeaving } from '../components/ask-before-leaving.js';
import { Button } from '../components/button.js';
import { ErrorNote } from '../components/error-note.js';
import { useChange } from '../settings/use-change.js';
import { AutomationEditor } from './automation-editor.js';
import { PreviewCard } from './preview-card.js';

interface ChangeAutomationProps {
  readonly automation: ReadAutomationView;
  readonly onClose: () => void;
}

/** Another source for an automation. It takes the place of the one that its author began from, and of no newer one. */
export function ChangeAutomation({ automation, onClose }: ChangeAutomationProps) {
  const { id, state } = automation;
  const [base, setBase] = useState(automation);
  const [draft, setDraft] = useState(automation.source);
  const superseded = automation.source_sha256 !== base.source_sha256;
  const put = useChange(
    () => api.put('/v1/automations/{id}', { path: { id }, body: { source: draft, source_sha256: base.source_sha256 } }),
    '/v1/automations',
  );
  const queries = useQueryClient();
  const done = put.data !== undefined;
  return (
    <div className="flex flex-col gap-4">
      <AutomationEditor
        key={base.source_sha256}
        title={`Revision ${String(base.revision)}, in force`}
        original={base.source}
        draft={draft}
        onDraft={setDraft}
        put={(ready) => (
          <>
            <Button size="sm" onClick={onClose}>
              Cancel
            </Button>
            <Button
              size="sm"
              look="primary"
              busy={put.isPending}
              disabled={!ready || superseded}
              onClick={() => {
                put.mutate(undefined, {
                  onSuccess: onClose,
                  // It may be refused because another source came into force.
                  onError: () => void readAgain(queries, '/v1/automations/{id}'),
                });
              }}
            >
              Put in force
            </Button>
          </>
        )}
      />
      <PreviewCard source={draft} automationId={id} />
      {state === 'enabled' && (
        <p className="text-sm text-muted">It stays enabled: its next run carries out the new source.</p>
      )}
      {superseded && !done && (
        <div
          role="alert"
          className="flex flex-wrap items-center gap-3 rounded-xl border border-line bg-warn-soft p-4 text-sm"
        >
          <p className="flex-1 basis-80">
            <span className="font-semibold">
              Revision {automation.revision} came into force while you were writing.
            </span>{' '}
            Yours would take that change back, unless it says the same.
          </p>
          <Button
            size="sm"
            onClick={() => {
              setBase(automation);
              put.reset();
            }}
          >
            Keep mine, and compare it with revision {automation.revision}
          </Button>
          <Button size="sm" onClick={onClose}>
            Drop mine
          </Button>
        </div>
      )}
      {put.error !== null && <ErrorNote error={put.error} />}
      <AskBeforeLeaving when={draft !== base.source && !done} drop={null} />
    </div>
  );
}
