import { canonicalJson, type Json, type JsonObject, ownMember } from '#lib/canonical';

/**
 * The standing of a tool of a server. `unassigned`: no person accepted it, so no agent can call it. `accepted`: it is as it was accepted.
 * `changed`: the server defines it in another way, and its calls are refused. `gone`: the server no longer lists it. `unusable`: its
 * definition breaks a bound.
 */
export type ToolStanding = 'unassigned' | 'accepted' | 'changed' | 'gone' | 'unusable';

/** @param seen the digest that the server lists now. Undefined if it lists no such tool, null if the definition breaks a bound. */
export function standingOf(seen: string | null | undefined, accepted: string | null): ToolStanding {
  if (seen === undefined) return 'gone';
  if (accepted !== null && seen !== accepted) return 'changed';
  if (seen === null) return 'unusable';
  return accepted === null ? 'unassigned' : 'accepted';
}

/** The members in which two definitions differ, in alphabetical order. */
export function differing(before: JsonObject | null, after: JsonObject | null): readonly string[] {
  if (before === null || after === null) return [];
  const text = (value: Json | undefined): string => canonicalJson(value ?? null);
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((member) => text(ownMember(before, member)) !== text(ownMember(after, member)))
    .sort();
}
