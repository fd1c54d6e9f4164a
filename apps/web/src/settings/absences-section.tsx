import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import type { AbsenceView, NewAbsenceBody } from '#lib/api-schemas';
import { api } from '../api/client.js';
import { queryOf } from '../api/query.js';
import { usePaged } from '../api/paged.js';
import { useSignedIn } from '../api/browser-session.js';
import { InertText } from '../components/agent-text.js';
import { Badge } from '../components/badge.js';
import { Button } from '../components/button.js';
import { Card } from '../components/card.js';
import { ErrorNote } from '../components/error-note.js';
import { Field } from '../components/field.js';
import { PagedList } from '../components/paged-list.js';
import { TextField } from '../components/text-field.js';
import { Timestamp } from '../components/times.js';
import { useNow } from '../components/use-now.js';
import { PersonOptions } from './person-options.js';
import { useChange } from './use-change.js';

/** Deputies for some days. Each has the roles of the absent person, and if one is barred from a request, so is the other. */
export default function AbsencesSection() {
  const list = usePaged('/v1/absences');
  return (
    <>
      <NewAbsence />
      <PagedList title="Who stands in for whom" list={list} empty="Nobody is away.">
        {(absence) => <AbsenceRow key={absence.id} absence={absence} />}
      </PagedList>
    </>
  );
}

/** The value of a control for a local date and time, as the API takes it. Null if it is empty. */
const momentOf = (local: string): string | null => (local === '' ? null : new Date(local).toISOString());

function NewAbsence() {
  const { person } = useSignedIn();
  const [delegate, setDelegate] = useState('');
  const [from, setFrom] = useState('');
  const [until, setUntil] = useState('');
  const begin = useChange((body: NewAbsenceBody) => api.post('/v1/absences', { body }), '/v1/absences');
  if (person.roles.length === 0)
    return (
      <Card title="While you are away">
        <p className="text-sm text-muted">You hold no role, so there is nothing to delegate.</p>
      </Card>
    );
  return (
    <Card title="While you are away">
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          const begins = momentOf(from);
          begin.mutate(
            { delegate_id: delegate, until: momentOf(until) ?? '', ...(begins === null ? {} : { from: begins }) },
            {
              onSuccess: () => {
                setDelegate('');
              },
            },
          );
        }}
      >
        <p className="text-sm">
          Somebody else reviews with your roles ({person.roles.join(', ')}). Between you, you have one vote. If either
          of you is barred from a request, so is the other.
        </p>
        <OpenAlready />
        <div className="grid grid-cols-[repeat(auto-fit,minmax(13rem,1fr))] gap-4">
          <Field label="Who stands in">
            {(control) => (
              <select
                {...control}
                required
                value={delegate}
                onChange={(event) => {
                  setDelegate(event.target.value);
                }}
              >
                <PersonOptions except={person.id} />
              </select>
            )}
          </Field>
          <TextField label="From" hint="Left empty, at once." type="datetime-local" value={from} onChange={setFrom} />
          <TextField label="Until" type="datetime-local" required value={until} onChange={setUntil} />
        </div>
        {begin.error !== null && <ErrorNote error={begin.error} />}
        <div>
          <Button type="submit" look="primary" busy={begin.isPending}>
            Delegate my roles
          </Button>
        </div>
      </form>
    </Card>
  );
}

/** Says that a delegation leaves out the requests that are open already, and which those are. */
function OpenAlready() {
  const { data } = useQuery(
    queryOf('/v1/approval-requests', {
      query: {
        tab: 'for_me',
        limit: 50,
      },
    }),
  );
  const open = data?.items.length ?? 0;
  return (
    <p className="text-sm text-muted">
      It covers requests that are asked for after you set it up, not those that are open already. Who may decide a
      request must be settled before it is asked.{' '}
      {open > 0 && (
        <Link to="/requests?tab=for_me" className="text-accent underline">
          {open}
          {data?.next_cursor == null ? '' : ' or more'} {open === 1 ? 'request waits' : 'requests wait'} for you now:
          decide {open === 1 ? 'it' : 'them'} before you leave
        </Link>
      )}
    </p>
  );
}

function AbsenceRow({ absence }: { readonly absence: AbsenceView }) {
  const { person } = useSignedIn();
  const past = useNow((now) => Date.parse(absence.until) <= now);
  const end = useChange(() => api.delete('/v1/absences/{id}', { path: { id: absence.id } }), '/v1/absences');
  const over = absence.ended_at !== null || past;
  const may = absence.person.id === person.id || person.roles.includes('PlatformAdmin');
  return (
    <li className="flex flex-col gap-2 border-b border-line px-4 py-3 text-sm last:border-0">
      <div className="flex flex-wrap items-center gap-2">
        <span className="min-w-0 flex-1 basis-56">
          <span className="font-medium">
            <InertText text={absence.delegate.display_name} />
          </span>{' '}
          for <InertText text={absence.person.display_name} />, as {absence.roles.join(', ')}
          <span className="block text-muted">
            <Timestamp at={absence.from} /> to <Timestamp at={absence.ended_at ?? absence.until} />
          </span>
        </span>
        {absence.in_force && <Badge tone="good">in force</Badge>}
        {absence.ended_at !== null && <Badge>taken back</Badge>}
        {may && !over && (
          <Button
            size="sm"
            look="danger-outline"
            aria-label={`Take back that ${absence.delegate.display_name} stands in for ${absence.person.display_name}`}
            busy={end.isPending}
            onClick={() => {
              end.mutate(undefined);
            }}
          >
            Take back
          </Button>
        )}
      </div>
      {end.error !== null && <ErrorNote error={end.error} />}
    </li>
  );
}
