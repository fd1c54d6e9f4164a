import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useMemo, useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { isWaiting } from '#lib/client';
import type { AutonomyChange, ChangeRequestView } from '#lib/api-schemas';
import { stateInWords } from '#lib/words';
import { hasMembers } from '../api/has-members.js';
import { api } from '../api/client.js';
import { keyOf, queryOf } from '../api/query.js';
import { readAgain } from '../api/read-again.js';
import { useBarredFromAdministering } from '../api/roles.js';
import { useSignedIn } from '../api/browser-session.js';
import { usePutWords } from '../api/set-up.js';
import { InertText } from '../components/agent-text.js';
import { Badge } from '../components/badge.js';
import { Button } from '../components/button.js';
import { Card } from '../components/card.js';
import { countOf } from '../components/count-of.js';
import { useDraftStore } from '../components/draft-store.js';
import { ErrorNote } from '../components/error-note.js';
import { Page } from '../components/page.js';
import { Skeleton, SkeletonRows } from '../components/skeleton.js';
import { DraftImpact } from '../impact/draft-impact.js';
import { checkAutonomy } from './check-autonomy.js';
import { useChange } from '../change/use-change.js';
import { AskBeforeLeaving } from '../components/ask-before-leaving.js';
import { CheckLine, inForceWords } from '../components/check-line.js';
import type { DryRun } from './dry-run.js';
import { MatrixTable } from './matrix-table.js';
import { Revisions } from './revisions.js';

const YamlEditor = lazy(() =>
  import('../components/yaml-editor.js').then((module) => ({ default: module.YamlEditor })),
);

/** The first document of a tenant: no plan is executed, and no person may approve. */
const FIRST = `autonomy:
  mode: plan_only
  environments:
    staging:
      mode: canary_only
      allowed_approvers: [SRELead]
    production:
      mode: plan_only
      require_mfa: true # approvers sign with a passkey, or type a code
`;

async function readInForce(): Promise<InForce> {
  const { items } = await api.get('/v1/autonomy/revisions', { query: { limit: 1 } });
  const number = items[0]?.number;
  if (number === undefined) return { source: '', etag: null, number: null };
  const { source, etag } = await api.get('/v1/autonomy/revisions/{number}', { path: { number } });
  return { source, etag, number };
}

/** How far agents may go: the document, its effect on every tool, and its revisions. */
export function Component() {
  const inForce = useQuery({ queryKey: keyOf('/v1/autonomy'), queryFn: readInForce });
  return (
    <Page
      title="Autonomy"
      meta="How far agents may go on their own, by environment and tool, and who approves the rest."
    >
      {inForce.error !== null && <ErrorNote error={inForce.error} retry={() => void inForce.refetch()} />}
      {inForce.isPending && <SkeletonRows rows={4} className="h-24" />}
      {inForce.data !== undefined && <Editing inForce={inForce.data} />}
    </Page>
  );
}

/** The document that is in force, as the editor begins with it. */
interface InForce {
  readonly source: string;
  /** Null if there is no document yet. */
  readonly etag: string | null;
  readonly number: number | null;
}

const isInForce = (value: unknown): value is InForce =>
  hasMembers(value, ['source', 'etag', 'number']) && typeof value.source === 'string';

function Editing({ inForce }: { readonly inForce: InForce }) {
  const { person } = useSignedIn();
  const barred = useBarredFromAdministering('changes this document');
  const admin = barred === null;
  const [search] = useSearchParams();
  const store = useDraftStore('autonomy', isInForce);
  const [kept] = useState(store.read);
  const [base, setBase] = useState(kept?.base ?? inForce);
  const [draft, setDraft] = useState(kept?.draft ?? draftOf(inForce));
  const [comparing, setComparing] = useState(false);
  const [putDraft, setPutDraft] = useState<string | null>(null);
  const [dryRun, setDryRun] = useState<DryRun>({ state: 'unchanged' });
  const queries = useQueryClient();
  const matrix = useQuery(queryOf('/v1/autonomy/matrix'));
  const put = useMutation({
    mutationFn: () => api.put('/v1/autonomy', { yaml: draft, ...(base.etag === null ? {} : { ifMatch: base.etag }) }),
    onSuccess: (answer) => {
      setPutDraft(draft);
      void readAgain(queries, isWaiting(answer) ? '/v1/change-requests' : '/v1/autonomy');
    },
  });
  const check = useMemo(() => checkAutonomy(base.etag, setDryRun), [base.etag]);
  const take = (next: InForce, text: string): void => {
    setBase(next);
    setDraft(text);
    setDryRun({ state: 'unchanged' });
  };
  const superseded = inForce.number !== base.number;
  // The person typed nothing, or the typed text is in force now: nothing can be lost.
  if (superseded && (draft === draftOf(base) || draft === inForce.source)) take(inForce, inForce.source);
  const waiting = useChange(put.data !== undefined && isWaiting(put.data) ? put.data : null);
  const written = admin && draft !== draftOf(base) && draft !== putDraft;
  useEffect(() => {
    store.keep(written ? { base, draft } : null);
  }, [store, written, base, draft]);
  const open = useQuery(queryOf('/v1/change-requests', { query: { state: 'open', kind: 'autonomy' } }));
  const others = (open.data?.items ?? []).filter(({ id }) => id !== waiting?.id);
  const loosens = dryRun.state === 'valid' ? dryRun.change.loosens : 0;
  const putWords = usePutWords(loosens > 0);
  const line = Number(search.get('line') ?? '0');
  return (
    <div className="flex flex-col gap-4">
      <Card
        flush
        title={
          base.number === null ? 'No document yet' : `Revision ${String(base.number)}${superseded ? '' : ', in force'}`
        }
        actions={
          <span className="flex flex-wrap items-center gap-2">
            <Button
              size="sm"
              aria-pressed={comparing}
              onClick={() => {
                setComparing(!comparing);
              }}
            >
              {comparing ? 'Edit' : 'Compare'}
            </Button>
            <Button
              size="sm"
              barred={barred}
              look={loosens > 0 ? 'danger' : 'primary'}
              busy={put.isPending}
              disabled={dryRun.state !== 'valid' || superseded || waiting?.state === 'open'}
              onClick={() => {
                put.mutate();
              }}
            >
              {putWords}
            </Button>
          </span>
        }
      >
        <Suspense fallback={<Skeleton className="h-[60dvh]" />}>
          <YamlEditor
            key={base.number ?? 0}
            value={draft}
            original={base.source}
            readOnly={!admin}
            comparing={comparing}
            line={line}
            label="Autonomy document, YAML"
            schema={queryOf('/v1/schemas/{name}', { path: { name: 'autonomy' } })}
            check={check}
            onChange={setDraft}
            onState={setDryRun}
          />
        </Suspense>
        <div
          role="status"
          className="flex min-h-12 flex-wrap items-center gap-2 border-t border-line px-4 py-2 text-sm"
        >
          <CheckLine checked={dryRun} unchanged={inForceWords(admin)}>
            {dryRun.state === 'valid' && <GateChange change={dryRun.change} />}
          </CheckLine>
        </div>
      </Card>
      {superseded && (
        <Superseded
          number={inForce.number}
          goOn={() => {
            take(inForce, draft);
            setComparing(true);
            put.reset();
          }}
          startAnew={() => {
            take(inForce, inForce.source);
            put.reset();
          }}
        />
      )}
      <AskBeforeLeaving
        when={written}
        drop={() => {
          store.keep(null);
        }}
      />
      {waiting !== null && waiting.state !== 'applied' && <Waiting change={waiting} />}
      {others.map((change) => (
        <WaitsAlready key={change.id} change={change} own={change.requested_by.id === person.id} />
      ))}
      {put.data !== undefined && 'guardrail_warning' in put.data && (
        <p role="status" className="rounded-xl bg-warn-soft p-4 text-sm">
          {put.data.guardrail_warning}
        </p>
      )}
      {put.error !== null && <ErrorNote error={put.error} />}
      {written && <DraftImpact draft={draft} ready={dryRun.state === 'valid'} />}
      {matrix.error !== null && <ErrorNote error={matrix.error} retry={() => void matrix.refetch()} />}
      {matrix.isPending && <Skeleton className="h-64" />}
      {matrix.data !== undefined && (
        <MatrixTable matrix={matrix.data} changes={dryRun.state === 'valid' ? dryRun.change.cells : []} />
      )}
      <Revisions />
    </div>
  );
}

const draftOf = ({ number, source }: InForce): string => (number === null ? FIRST : source);

function Waiting({ change: { id, state, closed_reason: reason } }: { readonly change: ChangeRequestView }) {
  return (
    <div role="status" className="rounded-xl border border-line bg-warn-soft p-4 text-sm">
      <p className="font-semibold">
        {state === 'open'
          ? 'This loosens, so it waits for a second PlatformAdmin. The old document stays in force.'
          : `This change is ${stateInWords(state)}. The old document stays in force.`}
      </p>
      {reason !== null && (
        <p>
          <InertText text={reason} />
        </p>
      )}
      <Link className="text-accent underline" to={`/changes/${id}`}>
        {state === 'open' ? 'See the change, and who could confirm it' : 'See the change'}
      </Link>
    </div>
  );
}

/** Somebody's change that was asked for before this page was opened. */
function WaitsAlready({ change, own }: { readonly change: ChangeRequestView; readonly own: boolean }) {
  const { what, requested_by: by, id } = change;
  return (
    <p role="status" className="rounded-xl border border-line bg-warn-soft p-4 text-sm">
      <span className="font-semibold">
        <InertText text={what} /> waits for a second person.
      </span>{' '}
      {own ? 'You' : <InertText text={by.display_name} />} asked for it. If another revision comes into force first, it
      is void.{' '}
      <Link className="text-accent underline" to={`/changes/${id}`}>
        See the change
      </Link>
    </p>
  );
}

interface SupersededProps {
  readonly number: number | null;
  readonly goOn: () => void;
  readonly startAnew: () => void;
}

/** Another revision came into force: the typed text stays until its author decides about it. */
function Superseded({ number, goOn, startAnew }: SupersededProps) {
  return (
    <div
      role="alert"
      className="flex flex-wrap items-center gap-3 rounded-xl border border-line bg-warn-soft p-4 text-sm"
    >
      <p className="flex-1 basis-80">
        <span className="font-semibold">Revision {number} came into force while you were writing.</span> Yours would
        take that change back, unless it says the same.
      </p>
      <Button size="sm" onClick={goOn}>
        Keep mine, and compare it with revision {number}
      </Button>
      <Button size="sm" onClick={startAnew}>
        Drop mine
      </Button>
    </div>
  );
}

function GateChange({ change: { loosens, tightens, changed, warnings } }: { readonly change: AutonomyChange }) {
  return (
    <>
      {loosens > 0 && <Badge tone="bad">loosens {loosens}</Badge>}
      {tightens > 0 && <Badge tone="info">tightens {tightens}</Badge>}
      {changed && loosens + tightens === 0 && <span>This changes nothing that any tool may do.</span>}
      {warnings.length > 0 && <Badge tone="warn">{countOf(warnings.length, 'warning')}</Badge>}
    </>
  );
}
