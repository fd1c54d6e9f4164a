import { useState } from 'react';
import { api } from '../api/client.js';
import { AskBeforeLeaving } from '../components/ask-before-leaving.js';
import { Button } from '../components/button.js';
import { Card } from '../components/card.js';
import { ErrorNote } from '../components/error-note.js';
import { Field } from '../components/field.js';
import { useChange } from '../settings/use-change.js';
import { WaitsNote } from '../settings/waits-note.js';

/** The YAML of all hooks. Errors show with their lines once it is put in force. */
export function HookEditor({ source }: { readonly source: string }) {
  const [draft, setDraft] = useState(source);
  const put = useChange(
    () => api.put('/v1/lifecycle-hooks', { body: { source: draft } }),
    '/v1/lifecycle-hooks',
    '/v1/change-requests',
  );
  return (
    <Card title="Change the hooks">
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          put.mutate(undefined);
        }}
      >
        <Field
          label="Lifecycle hooks, YAML"
          hint="It takes the place of all hooks. A new or changed command waits for a second person."
        >
          {(control) => (
            <textarea
              {...control}
              className={`${control.className} font-mono text-sm`}
              rows={Math.min(24, Math.max(8, draft.split('\n').length + 1))}
              spellCheck={false}
              value={draft}
              onChange={(event) => {
                setDraft(event.target.value);
              }}
            />
          )}
        </Field>
        {put.error !== null && <ErrorNote error={put.error} />}
        <WaitsNote answer={put.data} />
        <div>
          <Button type="submit" look="primary" busy={put.isPending} disabled={draft === source}>
            Put in force
          </Button>
        </div>
      </form>
      <AskBeforeLeaving when={draft !== source && put.data === undefined} drop={null} />
    </Card>
  );
}
