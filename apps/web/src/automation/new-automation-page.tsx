import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { api } from '../api/client.js';
import { readAgain } from '../api/read-again.js';
import { AskBeforeLeaving } from '../components/ask-before-leaving.js';
import { Button } from '../components/button.js';
import { ErrorNote } from '../components/error-note.js';
import { holdsSecret } from '../components/holds-secret.js';
import { KeptDraftNote } from '../components/kept-draft-note.js';
import { Page } from '../components/page.js';
import { useNewAutomationDraft } from './automation-draft.js';
import { AutomationEditor } from './automation-editor.js';
import { EXAMPLE } from './example.js';
import { PreviewCard } from './preview-card.js';

/** Proposes an automation: an example to change, checked as one types. */
export function Component() {
  const store = useNewAutomationDraft();
  const [left, setLeft] = useState(store.read);
  const [draft, setDraft] = useState(EXAMPLE);
  const [restored, setRestored] = useState(false);
  const navigate = useNavigate();
  const queries = useQueryClient();
  const propose = useMutation({
    mutationFn: () => api.post('/v1/automations', { body: { source: draft } }),
    onSuccess: () => readAgain(queries, '/v1/automations'),
  });
  const proposed = propose.data?.id;
  const written = draft !== EXAMPLE && proposed === undefined;
  useEffect(() => {
    // A draft that is offered stays kept until the person decides.
    if (left === null) store.keep(written ? { base: null, draft } : null);
  }, [store, left, written, draft]);
  useEffect(() => {
    // Only now does nothing ask before the page is left.
    if (proposed !== undefined) void navigate(`/automations/${proposed}`, { replace: true });
  }, [proposed, navigate]);
  return (
    <Page
      eyebrow={<Link to="/automations">Automations</Link>}
      title="New automation"
      meta="It does nothing before an admin reads it and enables it."
    >
      <div className="flex flex-col gap-4">
        {left !== null && (
          <KeptDraftNote
            of="of a new automation"
            onRestore={() => {
              setDraft(left.draft);
              setRestored(true);
              setLeft(null);
            }}
            onDiscard={() => {
              setLeft(null);
            }}
          />
        )}
        <AutomationEditor
          key={String(restored)}
          title={restored ? 'Your draft' : 'An example to change'}
          original={null}
          draft={draft}
          onDraft={setDraft}
          put={(ready) => (
            <Button
              size="sm"
              look="primary"
              busy={propose.isPending}
              disabled={!ready}
              onClick={() => {
                propose.mutate();
              }}
            >
              Propose
            </Button>
          )}
        />
        <PreviewCard source={draft} automationId={null} />
        {propose.error !== null && <ErrorNote error={propose.error} />}
        <p className="text-sm text-muted">
          On the command line: <code className="font-mono">npx countersign automation propose restart-web.yaml</code>
        </p>
        <AskBeforeLeaving
          when={written}
          drop={
            left !== null || holdsSecret(draft)
              ? null
              : () => {
                  store.keep(null);
                }
          }
        />
      </div>
    </Page>
  );
}
