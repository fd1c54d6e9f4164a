import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { Link, useParams } from 'react-router';
import type { ChangeRequestView } from '#lib/api-schemas';
import { api } from '../api/client.js';
import { queryOf } from '../api/query.js';
import { readAllAgain } from '../api/read-again.js';
import { useSignedIn } from '../api/browser-session.js';
import { EvidenceCard } from '../audit/pack-actions.js';
import { InertText } from '../components/agent-text.js';
import { Badge } from '../components/badge.js';
import { Button } from '../components/button.js';
import { Card } from '../components/card.js';
import { DataTable } from '../components/data-table.js';
import { Dialog } from '../components/dialog.js';
import { ErrorNote } from '../components/error-note.js';
import { Facts } from '../components/facts.js';
import { Field } from '../components/field.js';
import { KnownIds } from '../components/known-ids.js';
import { Page } from '../components/page.js';
import { PageError } from '../components/page-error.js';
import { proofWords } from '../components/proof-words.js';
import { Skeleton, SkeletonRows } from '../components/skeleton.js';
import { StateBadge } from '../components/state-badge.js';
import { TimeLeft, Timestamp } from '../components/times.js';
import { inWords } from '../components/tone-of.js';
import { UnifiedDiff } from '../components/unified-diff.js';
import { WrittenValue } from '../components/written-value.js';
import { Conversation } from '../conversation/conversation.js';
import { ChangeImpact } from '../impact/change-impact.js';
import { kindWords } from './kind-words.js';

const StepUpForm = lazy(() => import('../step-up/step-up-form.js').then((module) => ({ default: module.StepUpForm })));

/** One change that loosens a guardrail: its effect, the exact content, and the second person's decision on it. */
export function Component() {
  const { id = '' } = useParams();
  const change = useQuery(queryOf('/v1/change-requests/{id}', { path: { id } }));
  if (change.data !== undefined) return <Shown change={change.data} />;
  if (change.error !== null)
    return (
      <PageError
        title="Change"
        error={change.error}
        retry={() => void change.refetch()}
        list={{ path: '/changes', name: 'Changes' }}
      />
    );
  return (
    <Page title="Change">
      <SkeletonRows />
    </Page>
  );
}

/** The change in reading order: its subject, then the values before and after. */
const asRead = (detail: Readonly<Record<string, unknown>>): readonly [string, unknown][] => {
  const rank = (name: string): number => ['before', 'after'].indexOf(name);
  return Object.entries(detail).toSorted(([one], [other]) => rank(one) - rank(other));
};

/** The change itself; a text in it, as of an autonomy document, is shown as the text that it is. */
function CarriedOut({ change }: { readonly change: unknown }) {
  const members = typeof change === 'object' && change !== null ? Object.entries(change) : [];
  const texts = members.filter(
    (member): member is [string, string] => typeof member[1] === 'string' && member[1].includes('\n'),
  );
  const others = members.filter(([name]) => !texts.some(([text]) => text === name));
  return (
    <>
      {(others.length > 0 || texts.length === 0) && (
        <Written
          label="The change as JSON"
          text={JSON.stringify(texts.length === 0 ? change : Object.fromEntries(others), null, 2)}
        />
      )}
      {texts.map(([name, text]) => (
        <div key={name}>
          <p className="mb-1 text-sm text-muted">{inWords(name)}</p>
          <Written label={inWords(name)} text={text} />
        </div>
      ))}
    </>
  );
}

const Written = ({ label, text }: { readonly label: string; readonly text: string }) => (
  <pre tabIndex={0} aria-label={label} className="max-h-96 overflow-auto font-mono text-xs leading-5">
    <InertText text={text} />
  </pre>
);

const confirmersOf = ({ confirmers }: ChangeRequestView): string =>
  confirmers.length === 0 ? 'nobody now' : confirmers.map(knownPerson).join(', ');

/** A name, and the reasons why its bearer is known. */
const knownPerson = ({ display_name: name, known_by: known }: ChangeRequestView['requested_by']): string =>
  known === undefined || known.length === 0 ? name : `${name} (${known.join('; ')})`;

type Word = 'confirm' | 'reject' | 'withdraw';

function Shown({ change }: { readonly change: ChangeRequestView }) {
  const { person } = useSignedIn();
  const [word, setWord] = useState<Word | null>(null);
  const open = change.state === 'open';
  const own = person.id === change.requested_by.id;
  const { diff, cells = [], cells_changed: cellsChanged = cells.length, ...detail } = change.detail;
  return (
    <Page
      eyebrow={<Link to="/changes">Changes</Link>}
      title={change.what}
      meta={
        <>
          <StateBadge state={change.state} />
          <Badge>{kindWords(change.kind)}</Badge>
          {open && <TimeLeft until={change.expires_at} />}
        </>
      }
      actions={
        open && (
          <>
            {change.you.may_confirm && (
              <>
                <Button
                  look="primary"
                  onClick={() => {
                    setWord('confirm');
                  }}
                >
                  Confirm…
                </Button>
                <Button
                  look="danger-outline"
                  onClick={() => {
                    setWord('reject');
                  }}
                >
                  Reject…
                </Button>
              </>
            )}
            {own && (
              <Button
                onClick={() => {
                  setWord('withdraw');
                }}
              >
                Withdraw…
              </Button>
            )}
          </>
        )
      }
    >
      <div className="grid gap-4 grid-cols-1 items-start lg:grid-cols-[minmax(0,1fr)_18rem] xl:grid-cols-[minmax(0,1fr)_24rem]">
        <div className="flex min-w-0 flex-col gap-4">
          <Card title="Why it is asked for">
            <blockquote className="break-words whitespace-pre-wrap">
              <InertText text={change.reason} />
            </blockquote>
            <p className="mt-2 text-sm text-muted">
              In the words of <InertText text={change.requested_by.display_name} />.
            </p>
          </Card>
          <Card title="What it loosens">
            <ul className="flex list-disc flex-col gap-1 pl-5">
              {change.loosens.map((line) => (
                <li key={line}>
                  <InertText text={line} />
                </li>
              ))}
            </ul>
          </Card>
          {change.role_warnings?.map((warning) => (
            <p key={warning} role="status" className="rounded-lg border border-warn/40 bg-warn-soft p-3 text-sm">
              <InertText text={warning} />
            </p>
          ))}
          <ChangeImpact change={change} />
          {diff !== undefined && (
            <Card title="The difference" flush>
              <UnifiedDiff diff={diff} />
            </Card>
          )}
          {cells.length > 0 && (
            <Card title="Effect on each tool" flush>
              <DataTable
                label="Cells that change"
                columns={['Tool', 'Environment', 'What changes']}
                rows={cells.map(({ tool, environment, what }) => ({
                  key: `${tool} ${environment}`,
                  cells: [
                    <code key="tool" className="font-mono text-xs">
                      {tool}
                    </code>,
                    environment,
                    <InertText key="what" text={what.join('; ')} />,
                  ],
                }))}
              />
              {cellsChanged > cells.length && (
                <p className="px-4 py-3 text-sm text-muted">
                  {cellsChanged - cells.length} more change; what they loosen stands above.
                </p>
              )}
            </Card>
          )}
          {Object.keys(detail).length > 0 && (
            <Card title="What to look at">
              <Facts
                facts={asRead(detail).map(([name, value]) => [
                  inWords(name),
                  <WrittenValue key={name} value={value} />,
                ])}
              />
            </Card>
          )}
          <Card title="Exactly what is carried out">
            <KnownIds text={JSON.stringify(change.change)} />
            <CarriedOut change={change.change} />
          </Card>
          <Conversation about={{ type: 'change_request', id: change.id }} />
        </div>
        <div className="flex min-w-0 flex-col gap-4">
          <Card title="Who">
            <Facts
              facts={[
                ['Asked by', <InertText key="by" text={knownPerson(change.requested_by)} />],
                ['At', <Timestamp key="at" at={change.opened_at} />],
                ['Needs', `a second ${change.required_role}`],
                ['Could confirm', open ? <InertText key="could" text={confirmersOf(change)} /> : null],
                [
                  'Closed by',
                  change.closed_by === null ? null : <InertText key="closed" text={change.closed_by.display_name} />,
                ],
                [
                  change.state === 'rejected' ? 'Said' : 'Because',
                  change.closed_reason === null ? null : <InertText key="said" text={change.closed_reason} />,
                ],
                ['Second factor', change.mfa_method === null ? null : proofWords(change.mfa_method)],
                [
                  'Digest',
                  <code key="digest" className="font-mono text-xs break-all">
                    {change.change_digest}
                  </code>,
                ],
              ]}
            />
            {open && change.you.why_not !== null && (
              <p className="mt-4 rounded-lg bg-warn-soft p-3 text-sm">
                {change.you.why_not.message} {change.you.why_not.action}
              </p>
            )}
          </Card>
          <EvidenceCard about={{ type: 'change_request', id: change.id }} />
        </div>
      </div>
      {word !== null && (
        <WordDialog
          change={change}
          word={word}
          onClose={() => {
            setWord(null);
          }}
        />
      )}
    </Page>
  );
}

const SAID: Readonly<Record<Word, string>> = {
  confirm: 'You confirmed the change.',
  reject: 'You rejected the change.',
  withdraw: 'You withdrew the change.',
};

const TITLES = {
  confirm: 'Confirm this change',
  reject: 'Reject this change',
  withdraw: 'Withdraw this change',
} as const;

interface WordDialogProps {
  readonly change: ChangeRequestView;
  readonly word: Word;
  readonly onClose: () => void;
}

function WordDialog({ change, word, onClose }: WordDialogProps) {
  const [comment, setComment] = useState('');
  // The digest of the page's opening is the one to confirm.
  const [digest] = useState(change.change_digest);
  const queries = useQueryClient();
  const send = useMutation({
    meta: { said: SAID[word] },
    mutationFn: (say: (call: { path: { id: string } }) => Promise<unknown>) => say({ path: { id: change.id } }),
    onSuccess: async () => {
      await readAllAgain(queries);
      onClose();
    },
  });
  return (
    <Dialog title={TITLES[word]} description={change.what} onClose={onClose}>
      {word === 'confirm' ? (
        <Suspense fallback={<Skeleton className="h-32" />}>
          <StepUpForm
            operation={{ kind: 'change_confirm', change_id: change.id, change_digest: digest }}
            busy={send.isPending}
            onProved={(stepUpId) => {
              send.mutate((call) =>
                api.post('/v1/change-requests/{id}/confirm', {
                  ...call,
                  body: { change_digest: digest, step_up_id: stepUpId },
                }),
              );
            }}
          />
          {send.error !== null && <ErrorNote error={send.error} />}
        </Suspense>
      ) : (
        <form
          className="flex flex-col gap-4"
          onSubmit={(event) => {
            event.preventDefault();
            send.mutate((call) =>
              word === 'reject'
                ? api.post('/v1/change-requests/{id}/reject', { ...call, body: { comment: comment.trim() } })
                : api.post('/v1/change-requests/{id}/withdraw', call),
            );
          }}
        >
          {word === 'reject' && (
            <Field label="Why not">
              {(control) => (
                <textarea
                  {...control}
                  required
                  autoFocus
                  rows={3}
                  maxLength={2_000}
                  value={comment}
                  onChange={(event) => {
                    setComment(event.target.value);
                  }}
                />
              )}
            </Field>
          )}
          {send.error !== null && <ErrorNote error={send.error} />}
          <div className="flex justify-end gap-2">
            <Button onClick={onClose}>Cancel</Button>
            <Button type="submit" look="danger" busy={send.isPending}>
              {TITLES[word]}
            </Button>
          </div>
        </form>
      )}
    </Dialog>
  );
}
