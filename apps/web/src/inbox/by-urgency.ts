import type { ApprovalRequestDetailView, ApprovalRequestView } from '#lib/contracts';

const LEVELS: readonly string[] = ['low', 'medium', 'high', 'critical'];
const CLASSES: readonly string[] = ['read_only', 'plan_only', 'state_change_nonprod', 'state_change_prod'];

/** The level of a request: what its simulation predicts; without one, what its most dangerous tool is. */
export function levelOf({ simulation, calls }: Pick<ApprovalRequestDetailView, 'simulation' | 'calls'>): string {
  if (simulation !== null) return simulation.result.predicted_risk;
  const highest = Math.max(0, ...calls.map(({ risk }) => CLASSES.indexOf(risk)));
  return LEVELS[highest] ?? 'high';
}

interface Waiting {
  readonly request: Pick<ApprovalRequestView, 'expires_at' | 'id'>;
  /** Null while it is being read. */
  readonly level: string | null;
}

/** The most dangerous first, then what runs out soonest. */
export function byUrgency(one: Waiting, other: Waiting): number {
  const rank = ({ level }: Waiting): number => (level === null ? -1 : LEVELS.indexOf(level));
  return rank(other) - rank(one) || one.request.expires_at.localeCompare(other.request.expires_at);
}
