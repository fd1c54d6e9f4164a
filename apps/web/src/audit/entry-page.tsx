import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'react-router';
import type { AnswerTo } from '#lib/client';
import { idWithin } from '#lib/verifier';
import { counted } from '#lib/words';
import { queryOf } from '../api/query.js';
import { ActorName } from '../components/actor-name.js';
import { InertText } from '../components/agent-text.js';
import { Badge } from '../components/badge.js';
import { Card } from '../components/card.js';
import { DecisionExplained } from '../components/decision-explained.js';
import { ErrorNote } from '../components/error-note.js';
import { Facts } from '../components/facts.js';
import { KnownIds } from '../components/known-ids.js';
import { Page } from '../components/page.js';
import { PageError } from '../components/page-error.js';
import { Skeleton, SkeletonRows } from '../components/skeleton.js';
import { Timestamp } from '../components/times.js';
import { inWords } from '../components/tone-of.js';
import { TaskName } from '../task/task-heading.js';
import { actionInWords } from './action-words.js';
import { NoAuditRole, useMayAudit } from './may-audit.js';
import { PackActions } from './pack-actions.js';
import { SubjectName } from './subject-name.js';

/** An entry without a proof is read again after so long; no event tells of its proof. */
const UNSIGNED_MS = 2_000;

/** One entry: the action, its decision, and the proof that the log holds it. */
export function Component() {
  const { id = '' } = useParams();
  const mayAudit = useMayAudit();
  const entry = useQuery({
    ...queryOf('/v1/audit/entries/{id}', { path: { id } }),
    enabled: mayAudit,
    refetchInterval: ({ state: { data } }) => (data?.proof === null ? UNSIGNED_MS : false),
  });
  if (!mayAudit) return <NoAuditRole title="Audit entry" />;
  if (entry.data !== undefined) return <Shown entry={entry.data} />;
  if (entry.error !== null)
    return (
      <PageError
        title="Audit entry"
        error={entry.error}
        retry={() => void entry.refetch()}
        list={{ path: '/audit', name: 'Audit' }}
      />
    );
  return (
    <Page title="Audit entry">
      <SkeletonRows />
    </Page>
  );
}

const Json = ({ label, value }: { readonly label: string; readonly value: unknown }) => (
  <pre tabIndex={0} aria-label={label} className="max-h-[32rem] overflow-auto font-mono text-xs leading-5">
    <InertText text={JSON.stringify(value, null, 2)} />
  </pre>
);

function Shown({ entry }: { readonly entry: AnswerTo<'get', '/v1/audit/entries/{id}'> }) {
  const { header, payload, proof } = entry;
  const task = idWithin(header, 'task');
  const plan = idWithin(header, 'plan');
  const run = idWithin(header, 'run');
  const automation = idWithin(header, 'automation');
  const webhook = header.subject.type === 'webhook' ? header.subject.id : null;
  const changeId = header.evidence.find(({ kind }) => kind === 'change-request')?.id ?? null;
  return (
    <Page
      eyebrow={<Link to="/audit">Audit</Link>}
      title={actionInWords(header.action)}
      meta={
        <>
          <Badge tone={header.level === 'critical' ? 'bad' : 'neutral'}>{inWords(header.level)}</Badge>
          <Timestamp at={header.occurred_at} />
          <code className="font-mono text-xs">{header.action}</code>
        </>
      }
      actions={
        <>
          {plan !== null && <PackActions about={{ type: 'plan', id: plan }} />}
          {changeId !== null && <PackActions about={{ type: 'change_request', id: changeId }} />}
        </>
      }
    >
      <div className="grid gap-4 grid-cols-1 lg:grid-cols-2">
        <Card title="Who did what">
          <Facts
            facts={[
              [
                'Actor',
                <span key="actor">
                  <ActorName actor={header.actor} /> {header.actor.kind !== 'system' && `(${header.actor.kind})`}
                </span>,
              ],
              [
                'Subject',
                <span key="subject">
                  <SubjectName entry={entry} />
                  <Link
                    to={`/audit?subject_id=${encodeURIComponent(header.subject.id)}`}
                    title="Everything about it"
                    className="block font-mono text-xs break-all text-accent underline"
                  >
                    {header.subject.id}
                  </Link>
                </span>,
              ],
              ['Task', task === null ? null : <TaskLink key="task" id={task} />],
              ['Plan', plan === null ? null : <Id key="plan" path="/plans" id={plan} />],
              ['Run', run === null ? null : <Id key="run" path="/runs" id={run} />],
              ['Automation', automation === null ? null : <Id key="automation" path="/automations" id={automation} />],
              ['Webhook', webhook === null ? null : <Id key="webhook" path="/settings/webhooks" id={webhook} />],
              ['Change', changeId === null ? null : <Id key="change" path="/changes" id={changeId} />],
            ]}
          />
        </Card>
        <Card title="Proof">
          {proof === null ? (
            <p className="text-sm text-muted">The log has not signed this entry yet. Its proof shows here by itself.</p>
          ) : (
            <Facts
              facts={[
                [
                  'Place',
                  `leaf ${String(proof.leaf_index)} of ${String(proof.checkpoint.tree_size)}, epoch ${String(proof.epoch)}`,
                ],
                ['Inclusion', `${counted(proof.inclusion.length, 'hash', 'hashes')} to the root`],
                [
                  'Root',
                  <code key="root" className="font-mono text-xs break-all">
                    {proof.checkpoint.root_hash}
                  </code>,
                ],
                ['Signed with', proof.checkpoint.key_name],
                [
                  'Payload',
                  <code key="payload" className="font-mono text-xs break-all">
                    {header.payload_digest}
                  </code>,
                ],
              ]}
            />
          )}
        </Card>
        <Card title="What was written" className="lg:col-span-2">
          {payload === undefined ? (
            <p className="text-sm text-muted">Erased under the retention rule. The proof still holds.</p>
          ) : (
            <>
              <KnownIds text={JSON.stringify(payload)} />
              <Json label="Payload" value={payload} />
            </>
          )}
        </Card>
        {header.decision_id !== null && <DecisionOf id={header.decision_id} />}
        {header.evidence.length > 0 && (
          <Card title="Documents it fixes" className="lg:col-span-2">
            <ul className="flex flex-col gap-1 text-sm">
              {header.evidence.map(({ kind, id, digest }) => (
                <li key={kind + id}>
                  {inWords(kind)} <code className="font-mono text-xs break-all text-muted">{digest}</code>
                </li>
              ))}
            </ul>
          </Card>
        )}
      </div>
    </Page>
  );
}

const TaskLink = ({ id }: { readonly id: string }) => (
  <Link to={`/tasks/${id}`} title={id} className="text-accent underline">
    <TaskName id={id} />
  </Link>
);

const Id = ({ path, id }: { readonly path: string; readonly id: string }) => (
  <Link to={`${path}/${id}`} className="font-mono text-xs break-all text-accent underline">
    {id}
  </Link>
);

function DecisionOf({ id }: { readonly id: string }) {
  const decision = useQuery({ ...queryOf('/v1/decisions/{id}', { path: { id } }), staleTime: Infinity });
  if (decision.error !== null) return <ErrorNote error={decision.error} />;
  return (
    <>
      <Card title="The decision">
        {decision.data === undefined ? (
          <Skeleton className="h-64" />
        ) : (
          <DecisionExplained decision={decision.data.decision} line={null} decisionId={id} />
        )}
      </Card>
      <Card title="What it was taken from">
        {decision.data === undefined ? (
          <Skeleton className="h-64" />
        ) : (
          <>
            <p className="mb-3 text-sm text-muted">
              Entrypoint <code className="font-mono text-xs">{decision.data.entrypoint}</code>, secrets masked. Bundle{' '}
              <code className="font-mono text-xs break-all">{decision.data.bundle_revision}</code>
            </p>
            <Json label="Input of the decision" value={decision.data.input} />
          </>
        )}
      </Card>
    </>
  );
}
