import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useMemo, useState } from 'react';
import type { LifecycleHooksView } from '#lib/api-schemas';
import { isWaiting } from '#lib/client';
import { hasMembers } from '../api/has-members.js';
import { api } from '../api/client.js';
import { queryOf } from '../api/query.js';
import { readAgain } from '../api/read-again.js';
import { AskBeforeLeaving } from '../components/ask-before-leaving.js';
import { Badge } from '../components/badge.js';
import { Button } from '../components/button.js';
import { Card } from '../components/card.js';
import { CheckLine } from '../components/check-line.js';
import { countOf } from '../components/count-of.js';
import { useDraftStore } from '../components/draft-store.js';
import { ErrorNote } from '../components/error-note.js';
import { holdsSecret } from '../components/holds-secret.js';
import { KeptDraftNote } from '../components/kept-draft-note.js';
import { Skeleton } from '../components/skeleton.js';
import { useChange } from '../settings/use-change.js';
import { WaitsNote } from '../settings/waits-note.js';
import { checkHooks, type Checked } from './check-hooks.js';
import { draftBeside, type DraftBase, type HookDraft } from './hook-draft.js';

const YamlEditor = lazy(() =>
  import('../components/yaml-editor.js').then((module) => ({ default: module.YamlEditor })),
);

const isDraftBase = (value: unknown): value is DraftBase =>
  hasMembers(value, ['source', 'etag']) && typeof value.source === 'string' && typeof value.etag === 'string';

/** The editor for the YAML of all hooks. It shows errors while a person types. A draft replaces only the hooks that it began from. */
export function HookEditor({ hooks }: { readonly hooks: LifecycleHooksView }) {
  const store = useDraftStore('lifecycle-hooks', isDraftBase);
  const [left, setLeft] = useState(store.read);
  const [draft, setDraft] = useState<HookDraft>({ base: hooks, text: hooks.source });
  const { base, text } = draft;
  const [edition, setEdition] = useState(0);
  const [checked, setChecked] = useState<Checked>({ state: 'unchanged' });
  // In place of other hooks, the same text may loosen more.
  const check = useMemo(() => checkHooks(setChecked), [base.etag]);
  const queries = useQueryClient();
  const put = useChange(
    (source: string) => api.put('/v1/lifecycle-hooks', { body: { source }, ifMatch: base.etag }),
    '/v1/lifecycle-hooks',
    '/v1/change-requests',
  );
  /** Puts another draft in place of this one. An editor keeps its text, so another text has another editor. */
  const replace = (next: HookDraft): void => {
    if (next.text !== text) setEdition(edition + 1);
    setDraft(next);
    setChecked({ state: 'checking' });
  };
  const accepted =
    put.data === undefined ? null : { text: put.variables, etag: isWaiting(put.data) ? null : put.data.etag };
  const beside = draftBeside(draft, hooks, accepted);
  if (beside !== draft) replace(beside);
  const superseded = hooks.etag !== base.etag;
  const touched = text !== base.source;
  const written = touched && text !== accepted?.text;
  useEffect(() => {
    // A draft that is offered stays kept until the person decides.
    if (left === null) store.keep(written ? { base: { source: base.source, etag: base.etag }, draft: text } : null);
  }, [store, left, written, base, text]);
  const ready = checked.state === 'valid' && checked.text === text && touched && !superseded;
  return (
    <>
      {left !== null && (
        <KeptDraftNote
          of="of a change to the hooks"
          onRestore={() => {
            replace({ base: left.base, text: left.draft });
            setLeft(null);
          }}
          onDiscard={() => {
            setLeft(null);
          }}
        />
      )}
      <Card
        flush
        title="Change the hooks"
        actions={
          <Button
            size="sm"
            look="primary"
            busy={put.isPending}
            disabled={!ready}
            onClick={() => {
              // It may be refused because other hooks came into force.
              put.mutate(text, { onError: () => void readAgain(queries, '/v1/lifecycle-hooks') });
            }}
          >
            Put in force
          </Button>
        }
      >
        <p className="border-b border-line px-4 py-2 text-sm text-muted">
          The text takes the index of all hooks. A new or changed command waits for a second person.
        </p>
        <Suspense fallback={<Skeleton className="h-96" />}>
          <YamlEditor
            key={edition}
            value={text}
            original={base.source}
            readOnly={false}
            comparing={false}
            line={0}
            label="Lifecycle hooks, YAML"
            schema={queryOf('/v1/schemas/{name}', { path: { name: 'lifecycle-hooks' } })}
            check={check}
            onChange={(typed) => {
              setDraft((before) => ({ ...before, text: typed }));
              // The answer was about an earlier text.
              if (!put.isPending) put.reset();
            }}
            onState={setChecked}
          />
        </Suspense>
        <div
          role="status"
          className="flex min-h-12 flex-wrap items-center gap-2 border-t border-line px-4 py-2 text-sm"
        >
          <CheckLine
            checked={touched ? checked : { state: 'unchanged' }}
            unchanged="As in force. Errors show as you type."
            invalid="The old hooks stay in force."
          >
            {checked.state === 'valid' && checked.loosens.length > 0 && (
              <span>{countOf(checked.loosens.length, 'command')} would wait for a second person.</span>
            )}
          </CheckLine>
        </div>
        {superseded && !put.isPending && (
          <div role="alert" className="flex flex-wrap items-center gap-3 border-t border-line bg-warn-soft p-4 text-sm">
            <p className="flex-1 basis-80">
              <Badge tone="warn">changed</Badge> Somebody changed the hooks after you began. Your draft is kept: begin
              again from theirs, or put yours in index of theirs.
            </p>
            <Button
              size="sm"
              onClick={() => {
                replace({ base: hooks, text: hooks.source });
                put.reset();
              }}
            >
              Drop my draft
            </Button>
            <Button
              size="sm"
              onClick={() => {
                replace({ base: hooks, text });
                put.reset();
              }}
            >
              Keep my draft
            </Button>
          </div>
        )}
        <div className="flex flex-col gap-2 px-4 empty:hidden [&>*]:mb-4">
          {put.error !== null && <ErrorNote error={put.error} />}
          <WaitsNote answer={put.data} />
        </div>
        <AskBeforeLeaving
          when={written}
          drop={
            left !== null || holdsSecret(text)
              ? null
              : () => {
                  store.keep(null);
                }
          }
        />
      </Card>
    </>
  );
}
