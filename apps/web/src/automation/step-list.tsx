import type { BlockedStepsView, ReadAutomationView } from '#lib/api-schemas';
import { Ban, BellRing, CircleHelp, GitBranch, Wrench, type LucideIcon } from 'lucide-react';
import { Link } from 'react-router';
import { ownMember } from '#lib/canonical';
import { InertText } from '../components/agent-text.js';
import { Facts } from '../components/facts.js';
import { JsonValue } from '../components/json-value.js';
import { inWords } from '../components/tone-of.js';
import { memberText } from './member-text.js';

type Step = NonNullable<ReadAutomationView['reading']>['steps'][number];
type Blocked = BlockedStepsView['blocked'][number];

interface StepListProps {
  readonly steps: readonly Step[];
  /** The steps that would be blocked now. */
  readonly blocked: readonly Blocked[];
}

/** The steps in order, each with the reason why it would be blocked. */
export const StepList = ({ steps, blocked }: StepListProps) => (
  <ol>
    {steps.map((step) => (
      <StepItem key={memberText(step.id)} step={step} blocked={blocked.filter((each) => each.step === step.id)} />
    ))}
  </ol>
);

const ICONS: Readonly<Record<string, LucideIcon>> = { tool_action: Wrench, condition: GitBranch, notify: BellRing };

function StepItem({ step, blocked }: { readonly step: Step; readonly blocked: readonly Blocked[] }) {
  const Icon = ownMember(ICONS, memberText(step.type)) ?? CircleHelp;
  return (
    <li className="flex gap-3 border-b border-line px-4 py-3 text-sm last:border-0">
      <Icon aria-hidden className="mt-0.5 size-4 shrink-0 text-muted" />
      <div className="flex min-w-0 flex-1 flex-col gap-1.5">
        <p className="flex flex-wrap items-baseline gap-x-2">
          <code className="font-mono text-xs text-muted">
            <InertText text={memberText(step.id)} />
          </code>
          <StepWords step={step} />
        </p>
        <StepMembers step={step} />
        {blocked.map(({ code, message }) => (
          <p key={code + message} className="flex gap-2 rounded-lg bg-bad-soft p-2.5">
            <Ban aria-hidden className="mt-0.5 size-4 shrink-0 text-bad" />
            <span className="min-w-0">
              <span className="font-medium">Would be blocked now.</span> <InertText text={message} />
            </span>
          </p>
        ))}
      </div>
    </li>
  );
}

function StepWords({ step }: { readonly step: Step }) {
  switch (step.type) {
    case 'tool_action':
      return (
        <span>
          calls{' '}
          <Link
            to={`/tools/${encodeURIComponent(memberText(step.tool))}`}
            className="font-mono font-medium text-accent underline"
          >
            <InertText text={memberText(step.tool)} />
          </Link>
        </span>
      );
    case 'condition':
      return (
        <span>
          goes on only if{' '}
          <code className="font-mono font-medium">
            <InertText text={memberText(step.if)} />
          </code>
        </span>
      );
    case 'notify':
      return (
        <span>
          tells the owner and the channel of the environment:{' '}
          <q>
            <InertText text={memberText(step.message)} />
          </q>
        </span>
      );
    default:
      return <span>{inWords(memberText(step.type))}</span>;
  }
}

/** The members that its words leave out. */
function StepMembers({ step }: { readonly step: Step }) {
  const { id: _id, type, tool: _tool, if: _if, message: _message, arguments: given, ...others } = step;
  const members = type === 'tool_action' ? { ...others, ...asObject(given) } : others;
  if (Object.keys(members).length === 0) return null;
  return (
    <Facts facts={Object.entries(members).map(([name, value]) => [name, <JsonValue key={name} value={value} />])} />
  );
}

// Any object may be read by name: an absent member is undefined.
const asObject = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
