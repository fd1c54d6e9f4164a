import { canonicalJson, type Json, ownMember } from '#lib/canonical';
import type { AutonomyDocument } from '#lib/formats';
import type { ToolFacts } from '#lib/policy-inputs';

/** A tool as decisions depend on it. */
export interface ToolInWorld {
  readonly facts: ToolFacts;
  /** Over the definition, as the list of safe tools accepts it. */
  readonly digest: string;
  /** Over the parts of the definition by which arguments are read: another digest means another reading of the arguments. */
  readonly reading: string;
}

/** The version of a tool that automations may call. */
export interface AcceptedInWorld {
  readonly effect: ToolFacts['effect'];
  readonly risk: ToolFacts['risk'];
  readonly digest: string;
}

/** Everything that a change can move and that inputs of policies take from. */
export interface World {
  readonly autonomy: AutonomyDocument | null;
  readonly tools: Readonly<Record<string, ToolInWorld>>;
  /** Whether each environment counts as production, by its name. */
  readonly environments: Readonly<Record<string, boolean>>;
  readonly safeTools: Readonly<Record<string, AcceptedInWorld>>;
}

/** A thing before and after a change; null if it is not there. */
export interface Moved<T> {
  readonly before: T | null;
  readonly after: T | null;
}

/** The parts of a world that a change moves, each before and after. */
export interface WorldChange {
  /** Absent if the document stays. */
  readonly autonomy?: Moved<AutonomyDocument>;
  readonly tools: Readonly<Record<string, Moved<ToolInWorld>>>;
  readonly environments: Readonly<Record<string, Moved<boolean>>>;
  readonly safeTools: Readonly<Record<string, Moved<AcceptedInWorld>>>;
}

/** Which of the two sides of a change. */
export type Side = 'before' | 'after';

/** The parts in which two worlds differ. */
export function compareWorlds(before: World, after: World): WorldChange {
  return {
    ...(same(before.autonomy, after.autonomy) ? {} : { autonomy: { before: before.autonomy, after: after.autonomy } }),
    tools: moved(before.tools, after.tools),
    environments: moved(before.environments, after.environments),
    safeTools: moved(before.safeTools, after.safeTools),
  };
}

function moved<T>(before: Readonly<Record<string, T>>, after: Readonly<Record<string, T>>): Record<string, Moved<T>> {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  return Object.fromEntries(
    names.flatMap((name) => {
      const sides = { before: own(before, name), after: own(after, name) };
      return same(sides.before, sides.after) ? [] : [[name, sides] as const];
    }),
  );
}

/** The value of a name that the record itself has, so that `constructor` is a name as any other. */
export const own = <T>(record: Readonly<Record<string, T>>, name: string): T | null => ownMember(record, name) ?? null;

// Both are parts of stored documents, which are JSON.
const same = (a: unknown, b: unknown): boolean => canonicalJson(a as Json) === canonicalJson(b as Json);

/** The whole world on one side of a change. */
export function worldOn(present: World, change: WorldChange, side: Side): World {
  return {
    autonomy: change.autonomy === undefined ? present.autonomy : change.autonomy[side],
    tools: sideOf(present.tools, change.tools, side),
    environments: sideOf(present.environments, change.environments, side),
    safeTools: sideOf(present.safeTools, change.safeTools, side),
  };
}

function sideOf<T>(
  present: Readonly<Record<string, T>>,
  moves: Readonly<Record<string, Moved<T>>>,
  side: Side,
): Record<string, T> {
  const all = new Map(Object.entries(present));
  for (const [name, { [side]: value }] of Object.entries(moves)) {
    if (value === null) all.delete(name);
    else all.set(name, value);
  }
  return Object.fromEntries(all);
}
