import { Check, UserRound } from 'lucide-react';
import type { ApprovalRequestView } from '#lib/api-schemas';
import { InertText } from './agent-text.js';

type Quorum = ApprovalRequestView['quorum'];

const rolesOf = (roles: readonly string[]): string =>
  roles.length === 1 && roles[0] === 'any' ? 'anybody' : roles.join(' or ');

/** How many of how many people have approved. */
export function QuorumProgress({ quorum }: { readonly quorum: Quorum }) {
  const filled = quorum.filled.length;
  const all = filled + quorum.open.reduce((sum, { count }) => sum + count, 0);
  return (
    <span className="inline-flex items-center gap-1.5 whitespace-nowrap">
      <span aria-hidden className="flex gap-0.5">
        {Array.from({ length: all }, (_, index) => (
          <span
            key={index}
            className={`h-3.5 w-1.5 rounded-sm forced-colors:border ${index < filled ? 'bg-good forced-colors:bg-[Highlight]' : 'bg-line-strong/50'}`}
          />
        ))}
      </span>
      {filled} of {all} approved
    </span>
  );
}

/** Every seat of the quorum: its reviewer and role, and while it is `open`, its candidates. */
export function QuorumSlots({ quorum, open }: { readonly quorum: Quorum; readonly open: boolean }) {
  const waiting = open ? quorum.open : [];
  if (quorum.filled.length + waiting.length === 0) return null;
  return (
    <ul className="flex flex-col gap-2 text-sm">
      {quorum.filled.map(({ slot, as, person }) => (
        <li key={`${String(slot)} ${person.id}`} className="flex items-center gap-2.5">
          <span className="grid size-6 shrink-0 place-items-center rounded-full bg-good-soft text-good">
            <Check aria-hidden className="size-3.5" />
          </span>
          <span>
            <InertText text={person.display_name} />{' '}
            {as.length > 0 && <span className="text-muted">as {as.join(' and ')}</span>}
          </span>
        </li>
      ))}
      {waiting.flatMap(({ slot, roles, count }) =>
        Array.from({ length: count }, (_, index) => (
          <li key={`${String(slot)} ${String(index)}`} className="flex items-center gap-2.5 text-muted">
            <span className="grid size-6 shrink-0 place-items-center rounded-full border border-dashed border-line-strong">
              <UserRound aria-hidden className="size-3.5" />
            </span>
            waits for {rolesOf(roles)}
          </li>
        )),
      )}
    </ul>
  );
}
