import { useState } from 'react';
import { Link } from 'react-router';
import type { PrecedentView } from '#lib/api-schemas';
import { counted } from '#lib/words';
import { usePrecedents } from '../api/requests.js';
import { InertText } from '../components/agent-text.js';
import { Badge, type Tone } from '../components/badge.js';
import { Button } from '../components/button.js';
import { Card } from '../components/card.js';
import { ErrorNote } from '../components/error-note.js';
import { Skeleton } from '../components/skeleton.js';
import { TimeAgo } from '../components/times.js';

const TONES: Readonly<Record<PrecedentView['ending'], Tone>> = {
  good: 'good',
  bad: 'bad',
  refused: 'warn',
  lapsed: 'neutral',
};

/** More are shown if the reader asks. */
const SHOWN = 3;

/** Requests and runs of the past that are like this one. They are history, and decide nothing. */
export function Precedents({ requestId }: { readonly requestId: string }) {
  const { data, error, refetch } = usePrecedents(requestId);
  const [whole, setWhole] = useState(false);
  const more = whole || data === undefined ? 0 : Math.max(0, data.items.length - SHOWN);
  return (
    <Card title="Done before">
      {error !== null && <ErrorNote error={error} retry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton className="h-24" />}
      {data !== undefined && (
        <div className="flex flex-col gap-4 text-sm">
          {data.line !== null && <p>{data.line}</p>}
          {data.items.length > 0 && (
            <ul aria-label="Precedents" className="flex flex-col gap-4">
              {data.items.slice(0, data.items.length - more).map((one, index) => (
                <Precedent key={one.id ?? index} one={one} />
              ))}
            </ul>
          )}
          {more > 0 && (
            <Button
              size="sm"
              className="self-start"
              onClick={() => {
                setWhole(true);
              }}
            >
              Show {more} more
            </Button>
          )}
          <p className="text-muted">Found by {data.searched_by}. This is history: nothing is approved by it.</p>
        </div>
      )}
    </Card>
  );
}

function Precedent({ one }: { readonly one: PrecedentView }) {
  const title = one.headline ?? `${one.tools.join(', ')} in ${one.environment.name}`;
  return (
    <li className="flex min-w-0 flex-col gap-1 border-t border-line pt-4 first:border-0 first:pt-0">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <Badge tone={TONES[one.ending]}>{one.ended_as.replaceAll('_', ' ')}</Badge>
        <Link
          className="min-w-0 font-medium break-words text-accent underline"
          to={one.request_id === null ? `/runs/${one.run_id ?? ''}` : `/requests/${one.request_id}`}
        >
          <InertText text={title} />
        </Link>
      </div>
      <p className="text-muted">
        <TimeAgo at={one.ended_at} />
        {one.approved_by.length > 0 && (
          <>
            , approved by <InertText text={one.approved_by.map(({ display_name: name }) => name).join(' and ')} />
          </>
        )}
        {one.unknown_effects > 0 && `, ${counted(one.unknown_effects, 'call')} with an unknown effect`}
      </p>
      {one.goal !== null && (
        <p className="break-words whitespace-pre-wrap">
          <span className="text-muted">Goal: </span>“<InertText text={one.goal} />”
        </p>
      )}
      {one.erased && <p className="text-muted">Its words were erased under the retention rule.</p>}
      <Reasons name="Why it ended so" reasons={one.because === null ? [] : [one.because]} />
      <Reasons name="Equal" reasons={one.equal} />
      <Reasons name="Different" reasons={one.different} />
    </li>
  );
}

const Reasons = ({ name, reasons }: { readonly name: string; readonly reasons: readonly string[] }) =>
  reasons.length === 0 ? null : (
    <p className="break-words">
      <span className="text-muted">{name}: </span>
      <InertText text={reasons.join('; ')} />
    </p>
  );
