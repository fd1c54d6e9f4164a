import { canonicalJson, isJsonObject, type Json, ownMember } from '#lib/canonical';
import { pointerToken } from './substitute-batch.js';

/** One difference between two documents. `before` is absent for additions, `after` for removals. */
export interface ValueChange {
  /** A JSON Pointer; of a removed value into the document before, of any other into the document after. */
  readonly pointer: string;
  readonly kind: 'added' | 'removed' | 'changed';
  readonly before?: Json;
  readonly after?: Json;
}

/** Whether two values are the same JSON. */
const sameJson = (a: Json, b: Json): boolean => canonicalJson(a) === canonicalJson(b);

/** The differences of two values, member by member; an array that differs is one difference. */
export function diffJson(before: Json, after: Json, pointer: string): readonly ValueChange[] {
  if (!isJsonObject(before) || !isJsonObject(after)) {
    return sameJson(before, after) ? [] : [{ pointer, kind: 'changed', before, after }];
  }
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return keys.flatMap((key): readonly ValueChange[] => {
    const member = pointer + pointerToken(key);
    const [was, is] = [ownMember(before, key), ownMember(after, key)];
    if (was === undefined) return is === undefined ? [] : [{ pointer: member, kind: 'added', after: is }];
    return is === undefined ? [{ pointer: member, kind: 'removed', before: was }] : diffJson(was, is, member);
  });
}
