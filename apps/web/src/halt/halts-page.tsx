import { OctagonX } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router';
import type { HaltView } from '#lib/api-schemas';
import { inDuration } from '#lib/words';
import { usePaged } from '../api/paged.js';
import { useBarredFromLifting } from '../api/roles.js';
import { useMayAudit } from '../audit/may-audit.js';
import { ActorName } from '../components/actor-name.js';
import { InertText } from '../components/agent-text.js';
import { Badge } from '../components/badge.js';
import { Button } from '../components/button.js';
import { countOf } from '../components/count-of.js';
import { Page } from '../components/page.js';
import { PagedList } from '../components/paged-list.js';
import { SkeletonRows } from '../components/skeleton.js';
import { TimeAgo, Timestamp } from '../components/times.js';
import { RunLink } from '../run/run-link.js';
import { HaltDialog } from './halt-dialog.js';
import { InFlightTool, inFlightKey } from './in-flight-call.js';
import { LiftDialog } from './lift-dialog.js';
import { useHaltScope } from './use-halt-scope.js';

/** Every halt: those in force with the way to lift them, then the past ones. */
export function Component() {
  const [halting, setHalting] = useState(false);
  return (
    <Page
      title="Halts"
      meta="Who stopped what, why, and who let it go on."
      actions={
        <Button
          look="danger-outline"
          onClick={() => {
            setHalting(true);
          }}
        >
          <OctagonX aria-hidden className="size-4" /> Halt…
        </Button>
      }
    >
      <div className="flex flex-col gap-6">
        <Halts
          title="In force"
          active="true"
          empty="Nothing is halted. A halt stops an agent, a tool, an environment or everything, until somebody lifts it."
        />
        <Halts title="Lifted" active="false" empty="No halt was lifted yet." />
      </div>
      {halting && (
        <HaltDialog
          onClose={() => {
            setHalting(false);
          }}
        />
      )}
    </Page>
  );
}

interface HaltsProps {
  readonly title: string;
  readonly active: 'true' | 'false';
  readonly empty: string;
}

function Halts({ title, active, empty }: HaltsProps) {
  const list = usePaged('/v1/halts', { active });
  const [lifting, setLifting] = useState<HaltView | null>(null);
  return (
    <>
      <PagedList
        title={title}
        list={list}
        room={<SkeletonRows rows={2} className="h-16" />}
        empty={empty}
        more="Earlier ones"
      >
        {(halt) => <HaltRow key={halt.id} halt={halt} onLift={setLifting} />}
      </PagedList>
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

function HaltRow({ halt, onLift }: { readonly halt: HaltView; readonly onLift: (halt: HaltView) => void }) {
  const scopeOf = useHaltScope();
  const barred = useBarredFromLifting();
  const mayAudit = useMayAudit();
  return (
    <li className="flex flex-col gap-2 border-b border-line px-4 py-3 last:border-0">
      <div className="flex flex-wrap items-start gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-72">
          <p className="flex flex-wrap items-center gap-2 font-medium">
            <InertText text={scopeOf(halt)} />
            {halt.active ? <Badge tone="bad">in force</Badge> : <Badge>lifted</Badge>}
          </p>
          <p className="text-sm break-words">
            <InertText text={halt.reason} />
          </p>
          <p className="text-sm text-muted">
            Set by <ActorName actor={halt.created_by} />, <TimeAgo at={halt.created_at} /> (
            <Timestamp at={halt.created_at} />)
          </p>
        </div>
        {halt.active && (
          <Button
            size="sm"
            barred={barred}
            aria-label={`Lift the halt: ${scopeOf(halt)}`}
            onClick={() => {
              onLift(halt);
            }}
          >
            Lift…
          </Button>
        )}
      </div>
      <Found halt={halt} />
      {halt.lifted_at !== null && halt.lifted_by !== null && (
        <p className="text-sm">
          <span className="text-muted">
            Lifted by <ActorName actor={halt.lifted_by} /> after{' '}
            {inDuration(Date.parse(halt.lifted_at) - Date.parse(halt.created_at))}, <Timestamp at={halt.lifted_at} />:
          </span>{' '}
          <InertText text={halt.lift_note ?? ''} />
        </p>
      )}
      {mayAudit && (
        <Link to={`/audit?subject_id=${halt.id}`} className="text-sm text-accent underline">
          In the audit log
        </Link>
      )}
    </li>
  );
}

/** How many runs and calls of a halt are named. */
const SHOWN = 5;

/** The runs and grants that it found when it was set. */
function Found({ halt }: { readonly halt: HaltView }) {
  const { paused_runs: paused, revoked_grants: revoked, denied_calls: denied, in_flight: inFlight } = halt.effect;
  return (
    <div className="text-sm text-muted">
      <p>
        {countOf(paused.length, 'run')} asked to pause, {countOf(denied.length, 'allowed call')} denied,{' '}
        {countOf(revoked, 'unused grant')} revoked, {countOf(inFlight.length, 'call')} already on the way
        {inFlight.slice(0, SHOWN).map((call) => (
          <span key={inFlightKey(call)}>
            {' '}
            <InFlightTool call={call} />
          </span>
        ))}
        .
      </p>
      {paused.slice(0, SHOWN).map((id) => (
        <p key={id}>
          Asked to pause: <RunLink id={id} />
        </p>
      ))}
    </div>
  );
}
