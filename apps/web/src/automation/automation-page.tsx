import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useParams } from 'react-router';
import type { BlockedStepsView, ReadAutomationView } from '#lib/api-schemas';
import { counted } from '#lib/words';
import { api } from '../api/client.js';
import { useDirectory } from '../api/directory.js';
import { useEnvironments } from '../api/environments.js';
import { queryOf } from '../api/query.js';
import { useBarredFromAdministering } from '../api/roles.js';
import { ActorName } from '../components/actor-name.js';
import { AgentText, InertText } from '../components/agent-text.js';
import { Button } from '../components/button.js';
import { Card } from '../components/card.js';
import type { DraftStore, KeptDraft } from '../components/draft-store.js';
import { EnvironmentLabel } from '../components/environment-label.js';
import { Facts } from '../components/facts.js';
import { KeptDraftNote } from '../components/kept-draft-note.js';
import { Page } from '../components/page.js';
import { PageError } from '../components/page-error.js';
import { SkeletonRows } from '../components/skeleton.js';
import { Timestamp } from '../components/times.js';
import { inWords } from '../components/tone-of.js';
import { useAutomationDraft, type DraftBase } from './automation-draft.js';
import { AutomationControls } from './automation-controls.js';
import { AutomationRuns } from './automation-runs.js';
import { AutomationState } from './automation-state.js';
import { ChangeAutomation } from './change-automation.js';
import type { Declaration } from './input-field.js';
import { memberText } from './member-text.js';
import { MessageSecret } from './message-secret.js';
import { PreviewCard } from './preview-card.js';
import { RunNow } from './run-now.js';
import { StepList } from './step-list.js';
import { TriggerItem } from './trigger-item.js';

/** One automation: its steps and triggers as they were read, its runs, and its source. */
export function Component() {
  const { id = '' } = useParams();
  const found = useQuery(queryOf('/v1/automations/{id}', { path: { id } }));
  if (found.data !== undefined) return <Shown key={id} automation={found.data} />;
  if (found.error !== null)
    return (
      <PageError
        title="Automation"
        error={found.error}
        retry={() => void found.refetch()}
        list={{ path: '/automations', name: 'Automations' }}
      />
    );
  return (
    <Page title="Automation">
      <SkeletonRows />
    </Page>
  );
}

const NONE: BlockedStepsView['blocked'] = [];

/** The steps of a source that would be blocked now. */
function useBlockedNow({ source, source_sha256: sha256 }: ReadAutomationView): BlockedStepsView['blocked'] {
  const { data } = useQuery({
    // Read again whenever the safe tools are: the same facts decide.
    queryKey: ['/v1/automations/safe-tools', 'steps', sha256],
    queryFn: () => api.post('/v1/automations/validate', { body: { source } }),
  });
  return data?.blocked ?? NONE;
}

function Shown({ automation }: { readonly automation: ReadAutomationView }) {
  const blocked = useBlockedNow(automation);
  const [editing, setEditing] = useState(false);
  const [begun, setBegun] = useState<KeptDraft<DraftBase> | null>(null);
  const store = useAutomationDraft(automation.id);
  const { name, environment, state, author, reading } = automation;
  const known = useEnvironments().get(environment.name) ?? { name: environment.name, production: false };
  return (
    <Page
      eyebrow={<Link to="/automations">Automations</Link>}
      title={name}
      meta={
        <>
          <AutomationState automation={automation} />
          <EnvironmentLabel {...known} />
        </>
      }
      actions={
        <>
          <RunNow automation={automation} />
          <AutomationControls automation={automation} blocked={blocked} />
        </>
      }
    >
      <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-[minmax(0,1fr)_18rem] xl:grid-cols-[minmax(0,1fr)_24rem]">
        <div className="flex min-w-0 flex-col gap-4">
          <Note automation={automation} />
          {reading !== null && (
            <>
              {reading.description !== null && <Description text={reading.description} author={author} />}
              <Card title="Steps" flush>
                <StepList steps={reading.steps} blocked={blocked} />
              </Card>
            </>
          )}
          <AutomationRuns
            id={automation.id}
            empty={
              state === 'enabled'
                ? 'It has not run yet. Its first run shows here by itself.'
                : 'It has not run yet. It runs once an admin enables it.'
            }
          />
        </div>
        <div className="flex min-w-0 flex-col gap-4">
          {reading !== null && (
            <Card title="Triggers" flush>
              <ul>
                {reading.triggers.map((trigger, index) => (
                  <TriggerItem key={index} trigger={trigger} />
                ))}
              </ul>
            </Card>
          )}
          <MessageSecret automation={automation} />
          {reading !== null && Object.keys(reading.inputs).length > 0 && (
            <Card title="Inputs">
              <Facts
                facts={Object.entries(reading.inputs).map(([input, declared]) => [
                  input,
                  <InertText key={input} text={declaredWords(declared)} />,
                ])}
              />
            </Card>
          )}
          <About automation={automation} />
        </div>
        <div className="flex min-w-0 flex-col gap-4 lg:col-span-2">
          {!editing && <PreviewCard source={automation.source} automationId={automation.id} />}
          {editing ? (
            <ChangeAutomation
              automation={automation}
              store={store}
              begun={begun}
              onClose={() => {
                setEditing(false);
              }}
            />
          ) : (
            <>
              <LeftDraft
                store={store}
                onRestore={(kept) => {
                  setBegun(kept);
                  setEditing(true);
                }}
              />
              <Source
                automation={automation}
                onEdit={() => {
                  setBegun(null);
                  setEditing(true);
                }}
              />
            </>
          )}
        </div>
      </div>
    </Page>
  );
}

interface LeftDraftProps {
  readonly store: DraftStore<DraftBase>;
  readonly onRestore: (kept: KeptDraft<DraftBase>) => void;
}

/** A draft of before a reload, or one that was closed. */
function LeftDraft({ store, onRestore }: LeftDraftProps) {
  const [kept, setKept] = useState(store.read);
  if (kept === null) return null;
  return (
    <KeptDraftNote
      of={`of a change to revision ${String(kept.base.revision)}`}
      onRestore={() => {
        onRestore(kept);
      }}
      onDiscard={() => {
        store.keep(null);
        setKept(null);
      }}
    />
  );
}

/** The next action, if it waits for one. */
function Note({ automation: { state, failures, reading } }: { readonly automation: ReadAutomationView }) {
  if (reading === null)
    return (
      <p role="status" className="rounded-xl border border-line bg-warn-soft p-4 text-sm">
        <span className="font-semibold">This version of Countersign cannot read its source.</span> Correct the source
        below.
      </p>
    );
  if (state === 'proposed')
    return (
      <p role="status" className="rounded-xl border border-line bg-warn-soft p-4 text-sm">
        <span className="font-semibold">It does nothing yet.</span> An admin reads its steps and its source, and enables
        it.
      </p>
    );
  if (state !== 'paused') return null;
  return (
    <p role="status" className="rounded-xl border border-line bg-warn-soft p-4 text-sm">
      <span className="font-semibold">It is paused, and starts no run.</span>{' '}
      {failures > 0 && 'Its last runs say below why they failed. '}Correct the cause, and resume it.
    </p>
  );
}

function Description({ text, author }: { readonly text: string; readonly author: ReadAutomationView['author'] }) {
  if (author.kind === 'agent') return <AgentText text={text} by={`${author.display_name} (agent)`} />;
  return (
    <p className="break-words whitespace-pre-wrap">
      <InertText text={text} />
    </p>
  );
}

/** `string, max length 20, example web`. */
const declaredWords = ({ type, ...bounds }: Declaration): string =>
  [memberText(type), ...Object.entries(bounds).map(([name, value]) => `${inWords(name)} ${memberText(value)}`)].join(
    ', ',
  );

/** Whether events or requests start its runs, too. */
const onDemand = ({ triggers }: NonNullable<ReadAutomationView['reading']>): boolean =>
  triggers.some(({ type }) => type !== 'cron');

function About({ automation }: { readonly automation: ReadAutomationView }) {
  const { people } = useDirectory();
  const { owner_id: owner, next_at: next, author, reading, failures, agent_id: agent } = automation;
  return (
    <Card title="About it">
      <Facts
        facts={[
          ['Next run', next === null ? null : <Timestamp key="next" at={next} />],
          [
            'Answers for it',
            owner === null ? (
              'nobody before it is enabled'
            ) : (
              <Link key="owner" to={`/people/${owner}`} className="text-accent underline">
                <InertText text={people.get(owner) ?? 'a person'} />
              </Link>
            ),
          ],
          [
            'Acts as',
            agent === null ? null : (
              <code key="agent" className="font-mono text-xs break-all">
                automation:
                <InertText text={automation.name} />
              </code>
            ),
          ],
          ['Failed in a row', failures === 0 ? null : String(failures)],
          ['Pauses after', reading === null ? null : `${counted(reading.pause_after, 'failed run')} in a row`],
          [
            'A blocked step',
            reading === null ? null : reading.on_blocked === 'skip' ? 'is left out; the run goes on' : 'fails the run',
          ],
          [
            'Overlaps',
            reading === null ? null : reading.overlap === 'queue' ? 'wait for their turn, up to 10' : 'are left out',
          ],
          ['Most in an hour', reading === null || !onDemand(reading) ? null : counted(reading.most_per_hour, 'run')],
          ['Proposed', <Timestamp key="proposed" at={automation.proposed_at} />],
          [
            'Source',
            <span key="source">
              revision {automation.revision}, by <ActorName actor={author} />
            </span>,
          ],
        ]}
      />
    </Card>
  );
}

function Source({ automation, onEdit }: { readonly automation: ReadAutomationView; readonly onEdit: () => void }) {
  const barred = useBarredFromAdministering('changes automations');
  return (
    <Card
      title={`Source, revision ${String(automation.revision)}`}
      flush
      actions={
        <Button size="sm" barred={barred} onClick={onEdit}>
          Change
        </Button>
      }
    >
      <pre
        tabIndex={0}
        aria-label="Source, YAML"
        className="max-h-[32rem] overflow-auto px-4 py-3 font-mono text-xs leading-5"
      >
        <InertText text={automation.source} />
      </pre>
      <p className="border-t border-line px-4 py-2 text-xs text-muted">
        SHA-256 <code className="font-mono break-all">{automation.source_sha256}</code>
      </p>
    </Card>
  );
}
