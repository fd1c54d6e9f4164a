import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { ReadAutomationView } from '#lib/api-schemas';
import { api } from '../api/client.js';
import { readAgain } from '../api/read-again.js';
import { AskBeforeLeaving } from '../components/ask-before-leaving.js';
import { Button } from '../components/button.js';
import type { DraftStore, KeptDraft } from '../components/draft-store.js';
import { ErrorNote } from '../components/error-note.js';
import { holdsSecret } from '../components/holds-secret.js';
import { useChange } from '../settings/use-change.js';
import { draftBaseOf, type DraftBase } from './automation-draft.js';
import { AutomationEditor } from './automation-editor.js';
import { PreviewCard } from './preview-card.js';

interface ChangeAutomationProps {
  readonly automation: ReadAutomationView;
  readonly store: DraftStore<DraftBase>;
  /** The draft to go on with; null to begin from the source in force. */
  readonly begun: KeptDraft<DraftBase> | null;
  readonly onClose: () => void;
}

/** Another source for an automation. It takes the place of the one that its author began from, and of no newer one. */
export function ChangeAutomation({ automation, store, begun, onClose }: ChangeAutomationProps) {
  const { id, state } = automation;
  const [base, setBase] = useState(begun?.base ?? draftBaseOf(automation));
  const [draft, setDraft] = useState(begun?.draft ?? automation.source);
  const superseded = automation.source_sha256 !== base.source_sha256;
  const put = useChange(
    () => api.put('/v1/automations/{id}', { path: { id }, body: { source: draft, source_sha256: base.source_sha256 } }),
    '/v1/automations',
  );
  const queries = useQueryClient();
  const done = put.data !== undefined;
  const written = draft !== base.source && !done;
  // A draft that was left is replaced by typing alone.
  const [typed, setTyped] = useState(begun !== null);
  useEffect(() => {
    if (typed) store.keep(written ? { base, draft } : null);
  }, [store, typed, written, base, draft]);
  const drop = (): void => {
    store.keep(null);
  };
  const end = (): void => {
    drop();
    onClose();
  };
  return (
    <div className="flex flex-col gap-4">
      <AutomationEditor
        key={base.source_sha256}
        title={`Revision ${String(base.revision)}${superseded ? '' : ', in force'}`}
        original={base.source}
        draft={draft}
        onDraft={(text) => {
          setDraft(text);
          setTyped(true);
        }}
        put={(ready) => (
          <>
            <Button size="sm" onClick={onClose}>
              {written ? 'Close the draft' : 'Cancel'}
            </Button>
            <Button
              size="sm"
              look="primary"
              busy={put.isPending}
              disabled={!ready || superseded}
              onClick={() => {
                put.mutate(undefined, {
                  onSuccess: end,
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
              setBase(draftBaseOf(automation));
              put.reset();
            }}
          >
            Keep mine, and compare it with revision {automation.revision}
          </Button>
          <Button size="sm" onClick={end}>
            Drop mine
          </Button>
        </div>
      )}
      {put.error !== null && <ErrorNote error={put.error} />}
      <AskBeforeLeaving when={written} drop={holdsSecret(draft) ? null : drop} />
    </div>
  );
}
