import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useMemo, useState } from 'react';
import { Link, useParams } from 'react-router';
import { isWaiting, type AnswerTo } from '#lib/client';
import type { ConfigurationCheck } from '#lib/api-schemas';
import { ApiError } from '../api/api-error.js';
import { api } from '../api/client.js';
import { keyOf, queryOf } from '../api/query.js';
import { readAgain } from '../api/read-again.js';
import { useBarredFromAdministering } from '../api/roles.js';
import { usePutWords } from '../api/set-up.js';
import { AskBeforeLeaving } from '../components/ask-before-leaving.js';
import { CheckLine, inForceWords } from '../components/check-line.js';
import type { CheckState } from '../components/yaml-editor.js';
import { InertText } from '../components/agent-text.js';
import { Badge } from '../components/badge.js';
import { Button } from '../components/button.js';
import { Card } from '../components/card.js';
import { ErrorNote } from '../components/error-note.js';
import { Page } from '../components/page.js';
import { Skeleton } from '../components/skeleton.js';
import { WaitsNote } from '../settings/waits-note.js';
import { NotFoundPage } from '../shell/not-found-page.js';
import { PARTS, type Part } from './parts.js';

const YamlEditor = lazy(() =>
  import('../components/yaml-editor.js').then((module) => ({ default: module.YamlEditor })),
);

type Put = AnswerTo<'put', Part['path']>;
type Checked = CheckState | { readonly state: 'unchanged' } | { readonly state: 'valid'; readonly found: Found };

/** The changes that a draft makes, in one line each. */
interface Found {
  readonly changes: readonly string[];
  readonly loosens: readonly string[];
}

/** Tools, environments or executors as YAML: errors while typing, and the effect before it is put in force. */
export function Component() {
  const { part: name = '' } = useParams();
  const part = PARTS.find((each) => each.name === name);
  const standing = useQuery({
    ...queryOf('/v1/configuration/{name}', { path: { name: part?.name ?? 'tools' } }),
    enabled: part !== undefined,
    // The text that a person edits never changes under them.
    staleTime: Infinity,
  });
  if (part === undefined) return <NotFoundPage />;
  return (
    <Page title={part.title} meta={part.meta}>
      {standing.error !== null && <ErrorNote error={standing.error} retry={() => void standing.refetch()} />}
      {standing.isPending && <Skeleton className="h-[60dvh]" />}
      {standing.data !== undefined && <Editing key={part.name + standing.data} part={part} standing={standing.data} />}
    </Page>
  );
}

interface EditingProps {
  readonly part: Part;
  readonly standing: string;
}

function Editing({ part, standing }: EditingProps) {
  const { name } = part;
  const barred = useBarredFromAdministering('changes this document');
  const admin = barred === null;
  const empty = /^\w+: \{\}\n$/.test(standing);
  const begins = empty && admin ? part.first : standing;
  const [draft, setDraft] = useState(begins);
  const [comparing, setComparing] = useState(false);
  const [checked, setChecked] = useState<Checked>({ state: 'unchanged' });
  const [done, setDone] = useState<string | null>(null);
  const queries = useQueryClient();
  const put = useMutation({
    mutationFn: () => api.put(part.path, { yaml: draft }),
    onSuccess: (answer) => {
      setDone(draft);
      void readAgain(queries, '/v1/tools', '/v1/environments', '/v1/change-requests', '/v1/set-up', '/v1/autonomy');
      if (!isWaiting(answer))
        queries.removeQueries({ queryKey: keyOf('/v1/configuration/{name}', { path: { name } }), type: 'inactive' });
    },
  });
  const check = useMemo(
    () => async (text: string) => {
      const found = await api.post('/v1/configuration/check', { body: { [name]: text } });
      if (found.refused !== null) throw new ApiError(found.refused.problem);
      const changes = changesIn(found);
      return {
        remarks: found.tools?.warnings ?? [],
        tell: () => {
          setChecked(
            changes.length === 0
              ? { state: 'unchanged' }
              : { state: 'valid', found: { changes, loosens: found.loosens.map(({ what }) => what) } },
          );
        },
      };
    },
    [name],
  );
  const loosens = checked.state === 'valid' && checked.found.loosens.length > 0;
  const putWords = usePutWords(loosens);
  const written = admin && draft !== begins && draft !== done;
  return (
    <div className="flex flex-col gap-4">
      <Card
        flush
        title={empty ? 'Nothing yet: an example to change' : 'As it stands'}
        actions={
          <span className="flex flex-wrap items-center gap-2">
            <Button size="sm" aria-pressed={comparing} onClick={() => setComparing(!comparing)}>
              {comparing ? 'Edit' : 'Compare'}
            </Button>
            <Button
              size="sm"
              barred={barred}
              look={loosens ? 'danger' : 'primary'}
              busy={put.isPending}
              disabled={checked.state !== 'valid' || draft === done}
              onClick={() => put.mutate()}
            >
              {putWords}
            </Button>
          </span>
        }
      >
        <Suspense fallback={<Skeleton className="h-96" />}>
          <YamlEditor
            value={draft}
            original={standing}
            readOnly={!admin}
            comparing={comparing}
            line={0}
            label={part.label}
            schema={queryOf('/v1/schemas/{name}', { path: { name: part.schema } })}
            check={check}
            onChange={setDraft}
            onState={setChecked}
          />
        </Suspense>
        <div
          role="status"
          className="flex min-h-12 flex-wrap items-center gap-2 border-t border-line px-4 py-2 text-sm"
        >
          <CheckLine checked={checked} unchanged={inForceWords(admin)}>
            {checked.state === 'valid' && checked.found.loosens.length > 0 && (
              <Badge tone="bad">loosens {checked.found.loosens.length}</Badge>
            )}
          </CheckLine>
        </div>
      </Card>
      {checked.state === 'valid' && <WhatChanges found={checked.found} />}
      {put.data !== undefined && <Outcome answer={put.data} />}
      {put.error !== null && <ErrorNote error={put.error} />}
      <AskBeforeLeaving when={written} drop={null} />
    </div>
  );
}

const changesIn = ({ environments, tools, executors }: ConfigurationCheck): string[] =>
  [
    ...[...(environments ?? []), ...(executors ?? [])].map(({ change, name, what }) => ({
      change,
      text: `${name}: ${what}`,
    })),
    ...(tools?.changes ?? []).map(({ change, name, fields }) => ({
      change,
      text: fields.length === 0 || change !== 'update' ? name : `${name}: ${fields.join(', ')}`,
    })),
  ]
    .filter(({ change }) => change !== 'unchanged')
    .map(({ change, text }) => `${change} ${text}`);

const WhatChanges = ({ found }: { readonly found: Found }) => (
  <Card title="What it changes">
    <ul className="flex list-disc flex-col gap-1 pl-5 text-sm">
      {found.changes.map((line) => (
        <li key={line}>
          <InertText text={line} />
        </li>
      ))}
      {found.loosens.map((line) => (
        <li key={`loosens ${line}`} className="text-bad">
          loosens: <InertText text={line} />
        </li>
      ))}
    </ul>
  </Card>
);

function Outcome({ answer }: { readonly answer: Put }) {
  if (isWaiting(answer)) return <WaitsNote answer={answer} />;
  const changes = 'dry_run' in answer ? [] : answer.changes;
  const waiting = changes.filter((change) => change.waits !== undefined);
  const alone =
    'guardrail_warning' in answer
      ? answer.guardrail_warning
      : changes.find((change) => change.guardrail_warning)?.guardrail_warning;
  return (
    <div role="status" className="flex flex-col gap-2 rounded-xl bg-warn-soft p-4 text-sm">
      <p className="font-semibold">
        {waiting.length === 0 ? 'It is in force.' : 'It is in force, but for what waits for a second person:'}
      </p>
      {waiting.map(({ name, waits: change }) => (
        <p key={name}>
          <Link className="text-accent underline" to={`/changes/${change?.id ?? ''}`}>
            <InertText text={name} />
          </Link>
        </p>
      ))}
      {alone !== undefined && <p>{alone}</p>}
    </div>
  );
}
