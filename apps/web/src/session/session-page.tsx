import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useParams } from 'react-router';
import type { SessionCallView, SessionView } from '#lib/api-schemas';
import { secondsInWords } from '#lib/words';
import { useDirectory } from '../api/directory.js';
import { useEnvironments } from '../api/environments.js';
import { usePaged } from '../api/paged.js';
import { queryOf } from '../api/query.js';
import { EvidenceCard } from '../audit/pack-actions.js';
import { InertText } from '../components/agent-text.js';
import { Card } from '../components/card.js';
import { EnvironmentLabel } from '../components/environment-label.js';
import { ErrorNote } from '../components/error-note.js';
import { Facts } from '../components/facts.js';
import { Page } from '../components/page.js';
import { PagedCard } from '../components/paged-list.js';
import { PageError } from '../components/page-error.js';
import { Skeleton, SkeletonRows } from '../components/skeleton.js';
import { StateBadge } from '../components/state-badge.js';
import { TimeAgo, TimeLeft } from '../components/times.js';
import { CallItem } from './call-item.js';
import { PendingCall } from './pending-call.js';
import { SessionControls } from './session-controls.js';
import { settingsInWords } from './settings-words.js';
import { Trusts } from './trusts.js';

/** One session of agents, live to its end. */
export function Component() {
  const { id = '' } = useParams();
  const session = useQuery(queryOf('/v1/sessions/{id}', { path: { id } }));
  if (session.isLoadingError)
    return (
      <PageError
        title="Session"
        error={session.error}
        retry={() => void session.refetch()}
        list={{ path: '/sessions', name: 'Sessions' }}
      />
    );
  if (session.data === undefined)
    return (
      <Page title="Session">
        <div
          role="status"
          aria-label="Loading"
          className="grid gap-6 lg:grid-cols-[minmax(0,1fr)_17rem] xl:grid-cols-[minmax(0,1fr)_20rem]"
        >
          <Skeleton className="h-[36rem]" />
          <Skeleton className="h-72" />
        </div>
      </Page>
    );
  return <Session key={session.data.id} session={session.data} />;
}

function Session({ session }: { readonly session: SessionView }) {
  const { nameOf } = useDirectory();
  const environment = useEnvironments().get(session.environment.name);
  const agents = session.agent_ids.map((id) => nameOf({ kind: 'agent', id })).join(', ');
  return (
    <Page
      title={agents}
      eyebrow={<Link to="/sessions">Sessions</Link>}
      meta={
        <>
          <StateBadge state={session.ended_reason ?? session.state} />
          <EnvironmentLabel name={session.environment.name} production={environment?.production ?? false} />
          <span>
            opened <TimeAgo at={session.opened_at} />
          </span>
          {session.ended_at === null ? (
            <TimeLeft until={session.idle_at} over="ends" deadline={false} />
          ) : (
            <span>
              ended <TimeAgo at={session.ended_at} />
            </span>
          )}
        </>
      }
      actions={session.state === 'open' && <SessionControls session={session} />}
    >
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_17rem] xl:grid-cols-[minmax(0,1fr)_20rem]">
        <Calls session={session} />
        <div className="flex min-w-0 flex-col gap-6 lg:sticky lg:top-6">
          <Card title="Which calls ask">
            <p className="mb-3 text-sm font-medium">{settingsInWords(session)}</p>
            <Facts
              facts={[
                ['Answer within', secondsInWords(session.approval_seconds)],
                ['Calls', `${String(session.calls_made)} of ${String(session.call_budget)}`],
                ['Calls a turn', String(session.calls_per_turn)],
                ['Opened by', <InertText text={nameOf(session.opened_by)} />],
                ['Model', session.model === null ? null : <InertText text={session.model} />],
              ]}
            />
          </Card>
          <Trusts session={session} />
          <EvidenceCard about={{ type: 'session', id: session.id }} />
        </div>
      </div>
    </Page>
  );
}

/** Calls that wait first, then all of them, newest first. */
function Calls({ session }: { readonly session: SessionView }) {
  const list = usePaged('/v1/sessions/{id}/tool-calls', undefined, { id: session.id });
  // Asked for by itself: hundreds of newer calls may stand before it.
  const waiting = usePaged('/v1/sessions/{id}/tool-calls', { state: 'pending' }, { id: session.id });
  const [answering, setAnswering] = useState<SessionCallView | null>(null);
  const left = answering !== null && !waiting.items.some(({ id }) => id === answering.id);
  return (
    <div className="flex min-w-0 flex-col gap-6">
      {[...(left ? [answering] : []), ...waiting.items].map((call) => (
        <PendingCall
          key={call.id}
          call={call}
          onAnswering={(open) => {
            setAnswering(open ? call : null);
          }}
        />
      ))}
      {waiting.error !== null && <ErrorNote error={waiting.error} retry={waiting.again} />}
      <PagedCard
        title="Calls"
        list={list}
        room={<SkeletonRows rows={4} className="h-20" />}
        empty="No tool was called in this session."
        more="Earlier ones"
      >
        {(calls) => (
          <ol>
            {calls
              .filter(({ state }) => state !== 'pending')
              .map((call) => (
                <CallItem key={call.id} call={call} />
              ))}
          </ol>
        )}
      </PagedCard>
    </div>
  );
}
