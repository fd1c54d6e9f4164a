import type { SessionCallView } from '#lib/api-schemas';
import { useId } from 'react';
import { Link } from 'react-router';
import { useDirectory } from '../api/directory.js';
import { AgentText, InertText } from '../components/agent-text.js';
import { Badge } from '../components/badge.js';
import { Facts } from '../components/facts.js';
import { JsonValue } from '../components/json-value.js';
import { RiskBadge } from '../components/risk-badge.js';
import { StateBadge } from '../components/state-badge.js';
import { TimeAgo } from '../components/times.js';
import { useNear } from '../components/use-near.js';
import { ShownLine } from '../what-is-done/shown-line.js';
import { ShownPaths } from '../what-is-done/shown-paths.js';
import { CallResult } from './call-result.js';
import { DecisionBadge } from './decision-badge.js';

/** The states that follow a decision. */
const LATER: readonly SessionCallView['state'][] = ['executing', 'succeeded', 'failed', 'unknown', 'expired'];

/** The states of a call that left. */
const MADE: readonly SessionCallView['state'][] = ['executing', 'succeeded', 'failed', 'unknown'];

/** One call of a session: what was asked, how it was decided, and how it ended. */
export function CallItem({ call }: { readonly call: SessionCallView }) {
  const impactId = useId();
  const [item, near] = useNear<HTMLLIElement>();
  return (
    <li ref={item} className="flex flex-col gap-3 border-b border-line px-4 py-4 last:border-0">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
        <span className="font-mono font-medium break-all">
          <InertText text={call.tool} />
        </span>
        <DecisionBadge decision={call.decision} />
        {LATER.includes(call.state) && <StateBadge state={call.state} />}
        <RiskBadge level={call.risk} />
        <Badge tone="info">{call.category}</Badge>
        <span className="ml-auto text-muted">
          <TimeAgo at={call.asked_at} />
        </span>
      </div>
      <p id={impactId} className="text-sm font-medium break-words">
        <InertText text={call.impact} />
      </p>
      <CallContent call={call} near={near} />
      {call.request_id !== null && call.state !== 'pending' && (
        <Link className="text-sm text-accent underline" aria-describedby={impactId} to={`/requests/${call.request_id}`}>
          Who answered
        </Link>
      )}
    </li>
  );
}

interface CallContentProps {
  readonly call: SessionCallView;
  /** Whether its output is to be read: a page has a hundred calls. */
  readonly near: boolean;
}

/** The parts of a call that a reader judges, its submitter's own words apart from them. */
export function CallContent({ call, near }: CallContentProps) {
  const { nameOf } = useDirectory();
  const others = Object.entries(call.arguments).filter(([, value]) => value !== call.command);
  return (
    <>
      {call.command !== null && call.shell !== null && <ShownLine line={{ ...call.shell, command: call.command }} />}
      {call.paths !== null && call.paths.reasons.length > 0 && <ShownPaths paths={call.paths} />}
      {others.length > 0 && (
        <Facts facts={others.map(([name, value]) => [name, <JsonValue value={value} />] as const)} />
      )}
      {call.reason !== null && <AgentText by={nameOf(call.submitter)} text={call.reason} trust="the call" />}
      <CallResult
        id={call.id}
        made={MADE.includes(call.state)}
        near={near}
        result={call.result}
        fault={call.error ?? call.denial}
      />
    </>
  );
}
