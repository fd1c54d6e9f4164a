import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { components } from '#lib/client';
import { api } from '../api/client.js';
import { queryOf } from '../api/query.js';
import { markedName, useDirectory } from '../api/directory.js';
import { usePaged } from '../api/paged.js';
import { useSignedIn } from '../api/browser-session.js';
import { InertText } from '../components/agent-text.js';
import { AskFirst } from '../components/ask-first.js';
import { Badge } from '../components/badge.js';
import { Button } from '../components/button.js';
import { Card } from '../components/card.js';
import { ErrorNote } from '../components/error-note.js';
import { Field } from '../components/field.js';
import { PagedList } from '../components/paged-list.js';
import { TextField } from '../components/text-field.js';
import { NewTokenForm } from './new-token-form.js';
import { PersonOptions } from './person-options.js';
import { useChange } from './use-change.js';
import { WaitsNote } from './waits-note.js';

type Agent = components['schemas']['Agent'];

const AGENT_SCOPES = ['read', 'submit', 'run', 'halt'] as const;
/** Without these three an agent can ask for nothing, or start nothing. */
const USUAL_SCOPES = ['read', 'submit', 'run'] as const;
/** Countersign keeps names that begin so for the agents of automations: those take no token, and ask nobody. */
const OF_AUTOMATIONS = 'automation:';

/** The agents, each with the person who answers for it. */
export default function AgentsSection() {
  const { person } = useSignedIn();
  const admin = person.roles.includes('PlatformAdmin');
  const list = usePaged('/v1/agents');
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
  const [name, setName] = useState('');
  const [owner, setOwner] = useState('');
  const add = useChange(() => api.post('/v1/agents', { body: { name: name.trim(), owner_id: owner } }), '/v1/agents');
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
        <TextField label="Name" required value={name} onChange={setName} />
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
              <PersonOptions />
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

/** Hands the agent over to another owner. The new owner may not review its requests, and the former owner may. */
function HandOver({ agent }: { readonly agent: Agent }) {
  const [owner, setOwner] = useState('');
  const handOver = useChange(
    () => api.patch('/v1/agents/{id}', { path: { id: agent.id }, body: { owner_id: owner } }),
    '/v1/agents',
    '/v1/change-requests',
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
              <PersonOptions except={agent.owner_id} />
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

/** A warning that too few people could approve the agent's requests. */
function Shortage({ agentId }: { readonly agentId: string }) {
  const reviewers = useQuery(queryOf('/v1/agents/{id}/reviewers', { path: { id: agentId } }));
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
  const { tenant } = useSignedIn();
  const [making, setMaking] = useState<'tokens' | 'delegations' | 'owner' | null>(null);
  const turn = (disabled: boolean) => api.patch('/v1/agents/{id}', { path: { id: agent.id }, body: { disabled } });
  const disable = useChange(() => turn(true), '/v1/agents');
  const enable = useChange(() => turn(false), '/v1/agents');
  const owner = people.get(agent.owner_id);
  const ofAutomation = agent.name.startsWith(OF_AUTOMATIONS);
  return (
    <li className="flex flex-col gap-3 border-b border-line px-4 py-3 text-sm last:border-0">
      <div className="flex flex-wrap items-center gap-2">
        <span className="min-w-0 flex-1 basis-full sm:basis-56">
          <span className="font-medium">
            <InertText text={markedName(agent.name, agent.name_note)} />
          </span>{' '}
          {agent.disabled_at !== null && <Badge tone="bad">disabled</Badge>}
          <span className="block min-h-5 text-muted">
            {owner !== undefined && (
              <>
                <InertText text={owner} /> answers for it
              </>
            )}
          </span>
        </span>
        {!ofAutomation && (admin || mine) && (
          <Button
            size="sm"
            aria-label={`Token for ${agent.name}`}
            aria-expanded={making === 'tokens'}
            onClick={() => {
              setMaking(making === 'tokens' ? null : 'tokens');
            }}
          >
            Token
          </Button>
        )}
        {!ofAutomation && (
          <Button
            size="sm"
            aria-label={`Delegate to ${agent.name}`}
            aria-expanded={making === 'delegations'}
            onClick={() => {
              setMaking(making === 'delegations' ? null : 'delegations');
            }}
          >
            Delegate
          </Button>
        )}
        {admin && (
          <Button
            size="sm"
            aria-label={`Hand over ${agent.name}`}
            aria-expanded={making === 'owner'}
            onClick={() => {
              setMaking(making === 'owner' ? null : 'owner');
            }}
          >
            Hand over
          </Button>
        )}
        {admin && agent.disabled_at === null && (
          <AskFirst
            label="Disable…"
            name={`Disable ${agent.name}`}
            size="sm"
            title={`Disable ${agent.name}?`}
            act="Disable"
            change={disable}
          >
            <p>Its tokens are refused at once, its sessions end, and its calls that wait are denied.</p>
          </AskFirst>
        )}
        {admin && agent.disabled_at !== null && (
          <Button
            size="sm"
            aria-label={`Enable ${agent.name}`}
            busy={enable.isPending}
            onClick={() => {
              enable.mutate(undefined);
            }}
          >
            Enable
          </Button>
        )}
      </div>
      {agent.disabled_at === null && !ofAutomation && <Shortage agentId={agent.id} />}
      {making === 'delegations' && (
        <p className="text-muted">
          With a delegation the agent acts on your behalf, and you may not review what it asks for.
        </p>
      )}
      {making === 'owner' && <HandOver agent={agent} />}
      {making !== null && making !== 'owner' && (
        <NewTokenForm
          key={making}
          make={(body) => api.post(`/v1/agents/{id}/${making}`, { path: { id: agent.id }, body })}
          scopes={AGENT_SCOPES}
          usual={USUAL_SCOPES}
        />
      )}
      {making === 'tokens' && (
        <p className="text-muted">
          An MCP client uses the token at{' '}
          <code className="break-all">{`${globalThis.location.origin}/t/${tenant.slug}/mcp`}</code>.
        </p>
      )}
      {enable.error !== null && <ErrorNote error={enable.error} />}
    </li>
  );
}
