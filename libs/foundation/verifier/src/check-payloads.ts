import { isJsonList, type Json } from '#lib/canonical';
import { member } from './json-member.js';
import { makeAnew, type Pack, type PackEntry } from './pack-shape.js';
import { refuse } from './verification-failure.js';

/** An entry without payload: the server no longer had it when it assembled the pack. */
export interface AbsentPayload {
  readonly entryId: string;
  readonly action: string;
  readonly occurredAt: string;
}

/**
 * A payload is in the pack exactly if the assembly says that it was there. A holder who blanks a payload is found
 * out, and so is one who adds a payload from another pack. The last assembly counts, also in a pack that was cut back
 * to an earlier one.
 */
export function checkPayloads(pack: Pack, assembly: PackEntry): AbsentPayload[] {
  const stated = statedAbsent(pack, assembly);
  pack.entries.forEach(({ header: { id, action }, facts }, index) => {
    const pointer = `/entries/${String(index)}/facts`;
    const name = `the entry ${id} (${action})`;
    if (facts === null && !stated.has(id))
      refuse(
        'entry.payload_missing',
        `The payload of ${name} was there when the pack was assembled, and was taken out of it.`,
        pointer,
      );
    if (facts !== null && stated.has(id))
      refuse(
        'entry.payload_added',
        `The payload of ${name} was not there when the pack was assembled, and was added to it.`,
        pointer,
      );
  });
  return pack.entries
    .filter(({ facts }) => facts === null)
    .map(({ header: { id, action, occurred_at } }) => ({ entryId: id, action, occurredAt: occurred_at }));
}

/** Entries that the assembly says had no payload any more. */
function statedAbsent(pack: Pack, assembly: PackEntry): ReadonlySet<string> {
  const ids = texts(member(assembly.facts?.payload ?? null, 'not_there'));
  if (ids !== null) return new Set(ids);
  return refuse(
    'entry.payload_unstated',
    `The entry ${assembly.header.id} does not say which payloads were there when the pack was assembled. Make the pack anew with \`${makeAnew(pack.subject)}\`.`,
    `/entries/${String(pack.entries.indexOf(assembly))}/facts`,
  );
}

function texts(value: Json): readonly string[] | null {
  if (!isJsonList(value)) return null;
  const found = value.filter((item) => typeof item === 'string');
  return found.length === value.length ? found : null;
}
