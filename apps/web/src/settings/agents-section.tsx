import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { AgentReviewersView } from '#lib/contracts';
import { api } from '../api/client.js';
import { markedName } from '../api/directory.js';
import { useDirectory } from '../api/directory.js';
import { usePaged } from '../api/paged.js';
import { useSignedIn } from '../api/session.js';
import { InertText } from '../components/agent-text.js';
import { Badge } from '../components/badge.js';
import { Button } from '../components/button.js';
import { Card } from '../components/card.js';
import { ErrorNote } from '../components/error-note.js';
import { Field } from '../components/field.js';
import { NewTokenForm } from './new-token-form.js';
import { PagedList } from './paged-list.js';
import { useChange } from './use-change.js';
import { WaitsNote, type MaybeWaiting } from './waits-note.js';

interface Agent {
  readonly id: string;
  readonly name: string;
  readonly name_note: string | null;
  readonly description: string;
  readonly owner_id: string;
  readonly disabled_at: string | null;
}

const AGENT_SCOPES = ['read', 'submit', 'run', 'halt'];
/** Without these three an agent can ask for nothing, or start nothing. */
const USUAL_SCOPES = ['read', 'submit', 'run'];

/** The agents, each with the person who answers for it. */
export default function AgentsSection() {
  const { person } = useSignedIn();
  const admin = person.roles.includes('PlatformAdmin');
  const list = usePaged<Agent>('agents', '/v1/agents');
  return (
    <>
      {admin && <NewAgent />}
      <PagedList
        title="Agents"
        list={list}
        empty="No agents yet. An admin registers one, with the person who answers for it."
      >
        {(agent) => <AgentRow key={agent.id} agent={agent} admin={admin} mine={agent.owner_id === person.id} />}
      </PagedList>
    </>
  );
}

function NewAgent() {
  const { people } = useDirectory();
  const [name, setName] = useState('');
  const [owner, setOwner] = useState('');
  const add = useChange(() => api.post('/v1/agents', { name: name.trim(), owner_id: owner }), 'agents', 'directory');
  return (
    <Card title="Register an agent">
      <form
        className="grid items-end gap-4 sm:grid-cols-[1fr_1fr_auto]"
        onSubmit={(event) => {
          event.preventDefault();
          add.mutate(undefined, {
            onSuccess: () => {
              setName('');
            },
          });
        }}
      >
        <Field label="Name">
          {(control) => (
            <input
              {...control}
              required
              value={name}
              onChange={(event) => {
                setName(event.target.value);
              }}
            />
          )}
        </Field>
        <Field label="Who answers for it">
          {(control) => (
            <select
              {...control}
              required
              value={owner}
              onChange={(event) => {
                setOwner(event.target.value);
              }}
            >
              <option value="">Choose a person</option>
              {[...people].map(([id, each]) => (
                <option key={id} value={id}>
                  {each}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Button type="submit" look="primary" busy={add.isPending}>
          Register
        </Button>
        {add.error !== null && (
          <div className="sm:col-span-3">
            <ErrorNote error={add.error} />
          </div>
        )}
      </form>
    </Card>
  );
}

/** Somebody else is to answer for the agent: they could not review what it asks for, and whoever does now could. */
function HandOver({ agent }: { readonly agent: Agent }) {
  const { people } = useDirectory();
  const [owner, setOwner] = useState('');
  const handOver = useChange(
    () => api.patch<MaybeWaiting>(`/v1/agents/${agent.id}`, { owner_id: owner }),
    'agents',
    'directory',
    'changes',
  );
  return (
    <form
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        handOver.mutate(undefined);
      }}
    >
      <p className="text-muted">The person who answers for an agent may not review its requests.</p>
      <div className="flex flex-wrap items-end gap-3">
        <Field label={`Who answers for ${agent.name} from now on`}>
          {(control) => (
            <select
              {...control}
              required
              value={owner}
              onChange={(event) => {
                setOwner(event.target.value);
              }}
            >
              <option value="">Choose a person</option>
              {[...people]
                .filter(([id]) => id !== agent.owner_id)
                .map(([id, each]) => (
                  <option key={id} value={id}>
                    {each}
                  </option>
                ))}
            </select>
          )}
        </Field>
        <Button type="submit" look="primary" busy={handOver.isPending}>
          Hand over
        </Button>
      </div>
      <WaitsNote answer={handOver.data} />
      {handOver.error !== null && <ErrorNote error={handOver.error} />}
    </form>
  );
}

/** Too few people could approve what the agent asks for. */
function Shortage({ agentId }: { readonly agentId: string }) {
  const reviewers = useQuery({
    queryKey: ['agents', agentId, 'reviewers'],
    queryFn: () => api.get<AgentReviewersView>(`/v1/agents/${agentId}/reviewers`),
  });
  const warnings = reviewers.data?.items.flatMap(({ warning }) => warning ?? []) ?? [];
  if (warnings.length === 0) return null;
  return (
    <ul role="status" className="flex flex-col gap-2 rounded-lg border border-warn/40 bg-warn-soft p-3">
      {warnings.map((warning) => (
        <li key={warning}>
          <InertText text={warning} />
        </li>
      ))}
    </ul>
  );
}

function AgentRow({ agent, admin, mine }: { readonly agent: Agent; readonly admin: boolean; readonly mine: boolean }) {
  const { people } = useDirectory();
  const [making, setMaking] = useState<'tokens' | 'delegations' | 'owner' | null>(null);
  const change = useChange((disabled: boolean) => api.patch(`/v1/agents/${agent.id}`, { disabled }), 'agents');
  return (
    <li className="flex flex-col gap-3 border-b border-line px-4 py-3 text-sm last:border-0">
      <div className="flex flex-wrap items-center gap-2">
        <span className="min-w-0 flex-1 basis-56">
          <span className="font-medium">
            <InertText text={markedName(agent.name, agent.name_note)} />
          </span>{' '}
          {agent.disabled_at !== null && <Badge tone="bad">disabled</Badge>}
          <span className="block text-muted">
            <InertText text={people.get(agent.owner_id) ?? 'Somebody'} /> answers for it
          </span>
        </span>
        {(admin || mine) && (
          <Button
            size="sm"
            aria-expanded={making === 'tokens'}
            onClick={() => {
              setMaking(making === 'tokens' ? null : 'tokens');
            }}
          >
            Token
          </Button>
        )}
        <Button
          size="sm"
          aria-expanded={making === 'delegations'}
          onClick={() => {
            setMaking(making === 'delegations' ? null : 'delegations');
          }}
        >
          Delegate
        </Button>
        {admin && (
          <Button
            size="sm"
            aria-expanded={making === 'owner'}
            onClick={() => {
              setMaking(making === 'owner' ? null : 'owner');
            }}
          >
            Hand over
          </Button>
        )}
        {admin && (
          <Button
            size="sm"
            look={agent.disabled_at === null ? 'danger-outline' : 'secondary'}
            busy={change.isPending}
            onClick={() => {
              change.mutate(agent.disabled_at === null);
            }}
          >
            {agent.disabled_at === null ? 'Disable' : 'Enable'}
          </Button>
        )}
      </div>
      {agent.disabled_at === null && <Shortage agentId={agent.id} />}
      {making === 'delegations' && (
        <p className="text-muted">
          With a delegation the agent acts on your behalf, and you may not review what it asks for.
        </p>
      )}
      {making === 'owner' && <HandOver agent={agent} />}
      {making !== null && making !== 'owner' && (
        <NewTokenForm
          key={making}
          path={`/v1/agents/${agent.id}/${making}`}
          scopes={AGENT_SCOPES}
          usual={USUAL_SCOPES}
        />
      )}
      {change.error !== null && <ErrorNote error={change.error} />}
    </li>
  );
}
