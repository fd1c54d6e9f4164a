import { useQuery } from '@tanstack/react-query';
import { OctagonX } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router';
import type { HaltView } from '#lib/api-schemas';
import { queryOf } from '../api/query.js';
import { useBarredFromLifting } from '../api/roles.js';
import { InertText } from '../components/agent-text.js';
import { TimeAgo } from '../components/times.js';
import { LiftDialog } from './lift-dialog.js';
import { useHaltScope } from './use-halt-scope.js';

/** Shows the halts in force on every page: their scope, person and reason. */
export function HaltBanner() {
  const [lifting, setLifting] = useState<HaltView | null>(null);
  const barred = useBarredFromLifting();
  const scopeOf = useHaltScope();
  const { data } = useQuery(queryOf('/v1/halts', { query: { active: 'true' } }));
  return (
    <>
      {data?.items.map((halt) => (
        <div
          key={halt.id}
          role="status"
          className="flex flex-wrap items-center gap-x-3 gap-y-1 bg-danger px-4 py-2 text-sm text-danger-ink md:px-8"
        >
          <OctagonX aria-hidden className="size-4 shrink-0" />
          {/* The whole reason is on the page of halts. */}
          <span className="line-clamp-3 min-w-0 flex-1 wrap-anywhere md:line-clamp-2">
            <Link to="/halts" className="underline">
              <strong>
                <InertText text={scopeOf(halt)} /> is halted
              </strong>
            </Link>{' '}
            by <InertText text={halt.created_by.display_name} />, <TimeAgo at={halt.created_at} />:{' '}
            <InertText text={halt.reason} />
          </span>
          <button
            type="button"
            className="rounded-md border border-current px-2 py-0.5 font-medium aria-disabled:cursor-not-allowed aria-disabled:opacity-60 focus-visible:outline-current"
            aria-disabled={barred !== null || undefined}
            aria-describedby={barred === null ? undefined : `barred-${halt.id}`}
            onClick={() => {
              if (barred === null) setLifting(halt);
            }}
          >
            Lift…
          </button>
          {barred !== null && (
            <span id={`barred-${halt.id}`} className="text-xs">
              {barred}
            </span>
          )}
        </div>
      ))}
      {lifting !== null && (
        <LiftDialog
          halt={lifting}
          onClose={() => {
            setLifting(null);
          }}
        />
      )}
    </>
  );
}
