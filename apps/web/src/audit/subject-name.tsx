import { useQuery } from '@tanstack/react-query';
import { idWithin } from '#lib/verifier';
import type { AuditEntry } from '../api/audit.js';
import { useDirectory } from '../api/directory.js';
import { usePlan } from '../api/plans.js';
import { queryOf } from '../api/query.js';
import { useSignedIn } from '../api/browser-session.js';
import { useTask } from '../api/tasks.js';
import { InertText } from '../components/agent-text.js';
import { inWords } from '../components/tone-of.js';

/** The name that an entry's payload gives its subject, if it has one. */
function nameIn(payload: unknown): string | undefined {
  if (typeof payload !== 'object' || payload === null) return undefined;
  // Any object may be read by name: an absent member is undefined.
  const { what, name, tool, reason } = payload as Readonly<Record<'what' | 'name' | 'tool' | 'reason', unknown>>;
  return [what, name, tool, reason].find((each) => typeof each === 'string');
}

function useName({ header, payload }: AuditEntry): { readonly name?: string | null | undefined } {
  const { find } = useDirectory();
  const { tenant } = useSignedIn();
  const { type, id } = header.subject;
  const ofTask = idWithin(header, 'task') ?? undefined;
  // Some entries name their plan alone.
  const plan = usePlan(ofTask === undefined ? (idWithin(header, 'plan') ?? undefined) : undefined);
  const task = useTask(ofTask ?? plan.data?.task_id);
  const ofAutomation = type.startsWith('automation') ? idWithin(header, 'automation') : null;
  const automation = useQuery({
    ...queryOf('/v1/automations/{id}', { path: { id: ofAutomation ?? '' } }),
    enabled: ofAutomation !== null,
  });
  if (type === 'person' || type === 'agent') return { name: find({ kind: type, id }) };
  if (type === 'tenant' || type.endsWith('_settings')) return { name: tenant.name };
  return { name: plan.data?.headline ?? task.data?.headline ?? automation.data?.name ?? nameIn(payload) };
}

/** The subject of an entry, by its name if it has one: "run execute_rollout_prod on 25 targets". */
export function SubjectName({ entry }: { readonly entry: AuditEntry }) {
  const { name } = useName(entry);
  return (
    <>
      {inWords(entry.header.subject.type)}{' '}
      <span className="font-medium text-ink">{name != null && <InertText text={name} />}</span>
    </>
  );
}
