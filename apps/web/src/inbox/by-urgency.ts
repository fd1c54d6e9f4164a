import type { ApprovalRequestDetailView, ApprovalRequestView } from '#lib/contracts';

const LEVELS: readonly string[] = ['low', 'medium', 'high', 'critical'];
/** In the order of their levels: a class counts as the level at its place. */
const CLASSES: readonly string[] = ['plan_only', 'state_change_nonprod', 'state_change_prod'];

/** The level of a request: what its most dangerous tool is, and no less than what its simulation predicts. */
export function levelOf({ simulation, calls }: Pick<ApprovalRequestDetailView, 'simulation' | 'calls'>): string {
  const ofTools = calls.map(({ risk, effect }) => {
    const level = CLASSES.indexOf(risk);
    return effect === 'destructive' ? level + 1 : level;
  });
  const predicted = simulation === null ? 0 : LEVELS.indexOf(simulation.result.predicted_risk);
  return LEVELS[Math.min(LEVELS.length - 1, Math.max(predicted, ...ofTools))] ?? 'high';
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
