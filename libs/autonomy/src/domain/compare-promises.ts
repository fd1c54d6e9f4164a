import type { AutonomyDocument, Freeze } from '#lib/contracts';

/** What a new document changes beside the cells of the matrix. */
export interface PromiseChange {
  readonly change: 'loosens' | 'tightens';
  /** In words. */
  readonly what: string;
}

type Escalation = NonNullable<NonNullable<AutonomyDocument['autonomy']['environments']>[string]['escalation']>;

/**
 * How a document's freezes and escalations differ from those before it. A freeze that goes, covers less, ends earlier or
 * lets more roles pass loosens; where it cannot be said that a change only tightens, it loosens. Whoever is told of a
 * request sees it, so telling further roles loosens, too.
 */
export const comparePromises = (before: AutonomyDocument | null, after: AutonomyDocument): PromiseChange[] => [
  ...compareFreezes(before?.freezes ?? [], after.freezes ?? []),
  ...compareEscalations(before, after),
];

function compareFreezes(before: readonly Freeze[], after: readonly Freeze[]): PromiseChange[] {
  const now = new Map(after.map((freeze) => [freeze.name, freeze]));
  const then = new Map(before.map((freeze) => [freeze.name, freeze]));
  const changes: PromiseChange[] = before.flatMap((freeze): PromiseChange[] => {
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

/** Whether a freeze holds wherever and whenever the one before it did. */
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
  // Of one zone and one spelling, so that what reads later is later.
  const spelt = (text = ''): string => text.replace(' ', 'T');
  return (
    wide.weekly === undefined && spelt(wide.from) <= spelt(narrow.from) && spelt(wide.until) >= spelt(narrow.until)
  );
}

function compareEscalations(before: AutonomyDocument | null, after: AutonomyDocument): PromiseChange[] {
  const of = (document: AutonomyDocument | null): ReadonlyMap<string, Escalation> =>
    new Map(
      Object.entries(document?.autonomy.environments ?? {}).flatMap(([name, { escalation }]) =>
        escalation === undefined ? [] : [[name, escalation] as const],
      ),
    );
  const [then, now] = [of(before), of(after)];
  return [...new Set([...then.keys(), ...now.keys()])].sort().flatMap((name): PromiseChange[] => {
    const told = then.get(name)?.to ?? [];
    const further = (now.get(name)?.to ?? []).filter((role) => !told.includes(role));
    return further.length === 0
      ? []
      : [{ change: 'loosens', what: `${further.join(', ')} are told of requests in ${name} that nobody decides` }];
  });
}

const sorted = (freeze: Freeze): unknown => Object.entries(freeze).sort(([a], [b]) => (a < b ? -1 : 1));
