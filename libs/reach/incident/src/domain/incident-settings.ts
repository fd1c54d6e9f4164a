import { ownMember } from '#lib/canonical';

/** A tenant's settings about incidents. */
export interface IncidentSettings {
  /** Addresses of channels, by the name of their destination. */
  readonly destinations: Readonly<Record<string, readonly string[]>>;
  readonly reviewDays: number;
  readonly pagerDuty: { readonly secret: string; readonly url: string } | null;
}

/**
 * The loosening of a change, in words. It lists addresses no longer notified of incidents, events that PagerDuty no
 * longer gets, and more time until a review. Empty if the change only adds.
 */
export function loosenedIncidentSettings(before: IncidentSettings, after: IncidentSettings): readonly string[] {
  return [
    ...Object.entries(before.destinations).flatMap(([name, reached]) => {
      const left = ownMember(after.destinations, name) ?? [];
      return reached
        .filter((address) => !left.includes(address))
        .map((address) => `${address} is no longer notified of incidents, as ${name}`);
    }),
    ...(after.reviewDays > before.reviewDays
      ? [`a review is overdue after ${String(after.reviewDays)} days, not ${String(before.reviewDays)}`]
      : []),
    ...pagerLoosened(before.pagerDuty, after.pagerDuty),
  ];
}

function pagerLoosened(before: IncidentSettings['pagerDuty'], after: IncidentSettings['pagerDuty']): readonly string[] {
  if (before === null) return [];
  if (after === null) return ['incidents are no longer sent on to PagerDuty'];
  return [
    ...(after.url === before.url ? [] : [`incidents are sent on to ${after.url}, and no longer to ${before.url}`]),
    ...(after.secret === before.secret ? [] : [`PagerDuty is reached with ${after.secret}, not ${before.secret}`]),
  ];
}
