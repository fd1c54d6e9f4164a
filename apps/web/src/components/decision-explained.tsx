import { Link } from 'react-router';
import type { AutonomyLine } from '#lib/api-schemas';
import type { Decision } from '#lib/formats';
import { inDuration } from '#lib/words';
import { Codes } from './codes.js';
import { inWords } from './tone-of.js';

const OUTCOMES = {
  allow: 'Policy allows it.',
  require_approval: 'Policy lets it run only after people approve it.',
  deny: 'Policy refuses it.',
} as const;

const MODES = {
  plan_only: 'agents plan, and nothing of a plan is executed.',
  canary_only: 'of a plan, only its canary phases are executed.',
  full_auto: 'all phases of a plan may be executed. The rules below say whether people are asked first.',
} as const;

interface DecisionExplainedProps {
  readonly decision: Decision;
  /** The line of the mode in the autonomy document. Null for the default, and if the line is not looked up. */
  readonly line: AutonomyLine | null;
  readonly decisionId: string;
}

/** A decision rule by rule, its obligations, and the autonomy line that it comes from. */
export function DecisionExplained({ decision, line, decisionId }: DecisionExplainedProps) {
  const { approvals, mfa, phases, valid_minutes: minutes, audit_level: level } = decision.obligations;
  return (
    <div className="flex flex-col gap-4 text-sm">
      <p>{OUTCOMES[decision.outcome]}</p>
      <p className="text-muted">
        <span>
          Autonomy here is <strong className="text-ink">{inWords(decision.effective.mode)}</strong>:{' '}
          {MODES[decision.effective.mode]} It comes from{' '}
          {line === null ? (
            decision.effective.source === 'default' ? (
              'the default: no autonomy document says otherwise'
            ) : (
              'the autonomy document of then'
            )
          ) : (
            <Link
              className="text-accent underline"
              to={`/autonomy?revision=${String(line.revision)}&line=${String(line.line)}`}
            >
              line {line.line} of revision {line.revision}
            </Link>
          )}
          .
        </span>
      </p>
      <ol className="flex flex-col gap-2">
        {decision.reasons.map(({ code, message, rule }) => (
          <li key={rule + code + message} className="rounded-lg bg-sunken px-3 py-2">
            {message}
          </li>
        ))}
      </ol>
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-sm">
        <dt className="text-muted">Approvals</dt>
        <dd>
          {approvals.length === 0
            ? 'none'
            : approvals.map(({ count, roles }) => `${String(count)} of ${roles.join(' or ')}`).join(', and ')}
        </dd>
        <dt className="text-muted">Second factor</dt>
        <dd>{mfa ? 'asked for' : 'not asked for'}</dd>
        <dt className="text-muted">Phases</dt>
        <dd>{phases === 'canary' ? 'canary only' : 'all'}</dd>
        <dt className="text-muted">Good for</dt>
        <dd>{inDuration(minutes * 60_000)} once approved</dd>
        <dt className="text-muted">Audit</dt>
        <dd>{inWords(level)}</dd>
        <dt className="text-muted">Decision</dt>
        <dd className="font-mono text-xs leading-5 break-all">{decisionId}</dd>
      </dl>
      <Codes names={[decision.effective.source, ...decision.reasons.map(({ code, rule }) => `${code} · ${rule}`)]} />
    </div>
  );
}
