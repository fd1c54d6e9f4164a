import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { BreakGlassAvailabilityView } from '#lib/api-schemas';
import { queryOf } from '../api/query.js';
import { useDirectory } from '../api/directory.js';
import { useSignedIn } from '../api/browser-session.js';
import { InertText } from '../components/agent-text.js';

/** Whether the reader could break the glass for a plan now. */
export const useAvailability = (planId: string | undefined) =>
  useQuery({
    ...queryOf('/v1/break-glass/availability', { query: { plan_id: planId } }),
    enabled: planId !== undefined,
  });

const ROLE = 'break_glass.role';
/** The reasons that close break-glass to the reader for every plan. */
export const isClosed = ({ enabled, reasons }: BreakGlassAvailabilityView): boolean =>
  !enabled || reasons.some(({ code }) => code === ROLE);

export function Unavailable({ availability }: { readonly availability: BreakGlassAvailabilityView }) {
  const { enabled, reasons, allowed_roles: roles } = availability;
  // The text below tells these two in full, with the action to take.
  const others = reasons.filter(({ code }) => code !== ROLE && code !== 'break_glass.disabled');
  return (
    <div role="alert" className="rounded-xl border border-line bg-warn-soft p-4 text-sm">
      <p className="font-semibold">
        {enabled ? 'You cannot break the glass now.' : 'Break-glass is switched off here.'}
      </p>
      {!enabled && <SwitchedOff />}
      {enabled && reasons.some(({ code }) => code === ROLE) && <WrongRole allowed={roles} />}
      {others.length > 0 && (
        <ul className="mt-2 list-disc pl-5">
          {others.map(({ code, message, rule }) => (
            <li key={rule + code}>
              {message} <code className="font-mono text-xs text-muted">{code}</code>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

const named = (names: readonly string[]): string => (names.length === 0 ? '' : ` (${names.join(', ')})`);

function SwitchedOff() {
  const { holdersOf } = useDirectory();
  return (
    <p className="mt-1">
      A PlatformAdmin
      <InertText text={named(holdersOf('PlatformAdmin'))} /> switches it on in the{' '}
      <Link to="/autonomy" className="text-accent underline">
        autonomy document
      </Link>
      , under <code className="font-mono text-xs">emergency_override</code>; it loosens the gate, so a second one
      confirms it. Until then a plan takes its approvals.
    </p>
  );
}

function WrongRole({ allowed }: { readonly allowed: readonly string[] }) {
  const { person } = useSignedIn();
  const { holdersOf } = useDirectory();
  return (
    <p className="mt-1">
      {person.roles.length === 0 ? 'You hold no role' : `You are ${person.roles.join(', ')}`}; breaking the glass takes{' '}
      {allowed.length === 0 ? 'a role, and none is named' : allowed.join(' or ')}
      <InertText text={named([...new Set(allowed.flatMap((role) => holdersOf(role)))])} />. Ask one of them, or a
      PlatformAdmin for the role.
    </p>
  );
}
