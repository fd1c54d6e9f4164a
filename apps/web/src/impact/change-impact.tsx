import { useQuery } from '@tanstack/react-query';
import type { ChangeRequestView } from '#lib/api-schemas';
import { queryOf } from '../api/query.js';
import { useMayAudit } from '../audit/may-audit.js';
import { ErrorNote } from '../components/error-note.js';
import { Skeleton } from '../components/skeleton.js';
import { ImpactReport } from './impact-report.js';
import { lookAgain } from './look-again.js';

/** The kinds of changes that inputs of policies depend on. */
const KINDS: readonly string[] = ['autonomy', 'tool_catalog', 'environment', 'automation_safe_tool'];

const WAITS_MS = 30_000;

/** The impact of a change request, open or closed. */
export function ChangeImpact({ change }: { readonly change: ChangeRequestView }) {
  const shown = useMayAudit() && KINDS.includes(change.kind);
  const { data, error, isPending } = useQuery({
    ...queryOf('/v1/change-requests/{id}/impact', { path: { id: change.id } }),
    enabled: shown,
    // Settings may move while the change waits.
    refetchInterval: ({ state }) => lookAgain(state.data) || (change.state === 'open' ? WAITS_MS : false),
  });
  if (!shown) return null;
  if (data !== undefined) return <ImpactReport report={data} />;
  if (isPending) return <Skeleton className="h-24" />;
  return <ErrorNote error={error} />;
}
