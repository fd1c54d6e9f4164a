import type { AutonomyDocument, Freeze } from '#lib/formats';
import { minutesInWords } from '#lib/words';

/** A change beside the cells of the matrix. */
export interface ComparedChange {
  readonly change: 'loosens' | 'tightens';
  /** In words. */
  readonly what: string;
}

type Escalation = NonNullable<NonNullable<AutonomyDocument['autonomy']['environments']>[string]['escalation']>;

/**
 * Compares a document's freezes and escalations with the ones before. A freeze loosens if it goes, covers less, ends earlier
 * or lets more roles pass. A change that does not provably tighten counts as loosening. An escalation loosens in both
 * directions: more roles see requests, and a role that hears later, or never, notices less.
 */
export const compareFreezesAndEscalations = (
  before: AutonomyDocument | null,
  after: AutonomyDocument,
): ComparedChange[] => [
  ...compareFreezes(before?.freezes ?? [], after.freezes ?? []),
  ...compareEscalations(before, after),
];

function compareFreezes(before: readonly Freeze[], after: readonly Freeze[]): ComparedChange[] {
  const now = new Map(after.map((freeze) => [freeze.name, freeze]));
  const then = new Map(before.map((freeze) => [freeze.name, freeze]));
  const changes: ComparedChange[] = before.flatMap((freeze): ComparedChange[] => {
    const kept = now.get(freeze.name);
    if (kept === undefined) return [{ change: 'loosens', what: `freeze ${freeze.name} is removed` }];
    if (JSON.stringify(sorted(kept)) === JSON.stringify(sorted(freeze))) return [];
    return covers(kept, freeze)
      ? [{ change: 'tightens', what: `freeze ${freeze.name} covers more` }]
      : [{ change: 'loosens', what: `freeze ${freeze.name} covers less, or something else` }];
  });
  const added = after.filter(({ name }) => !then.has(name));
  return [...changes, ...added.map(({ name }) => ({ change: 'tightens' as const, what: `freeze ${name} is added` }))];
}

/** True if a freeze covers each place and time that the one before it did. */
function covers(wide: Freeze, narrow: Freeze): boolean {
  return (
    wide.time_zone === narrow.time_zone &&
    reaches(wide.environments, narrow.environments) &&
    reaches(wide.tools, narrow.tools) &&
    (wide.may_pass ?? []).every((role) => (narrow.may_pass ?? []).includes(role)) &&
    coversTimes(wide, narrow)
  );
}

/** No list is everything. */
const reaches = (wide: readonly string[] | undefined, narrow: readonly string[] | undefined): boolean =>
  wide === undefined || (narrow?.every((name) => wide.includes(name)) ?? false);

function coversTimes(wide: Freeze, narrow: Freeze): boolean {
  if (narrow.weekly !== undefined) {
    const kept = new Set((wide.weekly ?? []).map(({ from, until }) => `${from} ${until}`));
    return narrow.weekly.every(({ from, until }) => kept.has(`${from} ${until}`));
  }
  // Both have one zone and one format, so that text order is time order.
  const spelt = (text = ''): string => text.replace(' ', 'T');
  return (
    wide.weekly === undefined && spelt(wide.from) <= spelt(narrow.from) && spelt(wide.until) >= spelt(narrow.until)
  );
}

function compareEscalations(before: AutonomyDocument | null, after: AutonomyDocument): ComparedChange[] {
  const of = (document: AutonomyDocument | null): ReadonlyMap<string, Escalation> =>
    new Map(
      Object.entries(document?.autonomy.environments ?? {}).flatMap(([name, { escalation }]) =>
        escalation === undefined ? [] : [[name, escalation] as const],
      ),
    );
  const [then, now] = [of(before), of(after)];
  return [...new Set([...then.keys(), ...now.keys()])]
    .sort()
    .flatMap((name) => compareEscalation(name, then.get(name), now.get(name)));
}

function compareEscalation(environment: string, before?: Escalation, after?: Escalation): ComparedChange[] {
  const [notified, notifiedNow] = [before?.to ?? [], after?.to ?? []];
  const further = notifiedNow.filter((role) => !notified.includes(role));
  const noLonger = notified.filter((role) => !notifiedNow.includes(role));
  const requests = `of undecided requests in ${environment}`;
  const changes: ComparedChange[] = [];
  if (further.length > 0) changes.push({ change: 'loosens', what: `${further.join(', ')} are notified ${requests}` });
  if (noLonger.length > 0)
    changes.push({ change: 'loosens', what: `${noLonger.join(', ')} are no longer notified ${requests}` });
  const still = notified.filter((role) => notifiedNow.includes(role));
  const [was, is] = [before?.after_minutes ?? 0, after?.after_minutes ?? 0];
  if (still.length > 0 && was !== is) {
    const what = `${still.join(', ')} are notified after ${minutesInWords(is)}, not ${minutesInWords(was)}, ${requests}`;
    changes.push({ change: is > was ? 'loosens' : 'tightens', what });
  }
  return changes;
}

const sorted = (freeze: Freeze): unknown => Object.entries(freeze).sort(([a], [b]) => (a < b ? -1 : 1));
