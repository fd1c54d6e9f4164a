import { canonicalJson, isJsonList, isJsonObject, parseStrictJson, type Json, type JsonObject } from '#lib/canonical';
import { behindCall } from './check-call-answers.js';
import { member } from './json-member.js';
import { isThere, type LocatedEntry, type SessionLog } from './session-log.js';
import type { Refuse } from './verification-failure.js';

/** Entries that take an "always" back: its own, or each change of the settings that it was said under. */
const TAKES_BACK: ReadonlySet<string> = new Set(['session.trust_revoked', 'session.changed']);
/** The text that replaces a secret. */
const MASK = '[masked]';

/** A person said each "always" in the answer to a call of this tool and shape. The session alone had asked about that call. */
export function checkTrustSaid(log: SessionLog, trusted: LocatedEntry, refuse: Refuse): void {
  const { actor, subject } = trusted.entry.header;
  const wrong = (message: string): never => refuse('story.trust', message, trusted.pointer);
  if (actor.kind !== 'person') wrong(`${actor.display_name}, who is no person, said "always".`);
  if (subject.id !== log.id) wrong('An "always" was said for another session.');
  if (!isThere(trusted)) return;
  const callId = member(trusted.payload, 'tool_call_id');
  const request = log.requestAbout(callId);
  const asked = typeof callId === 'string' ? log.asked.get(callId) : undefined;
  if (asked !== undefined && !isThere(asked)) return;
  const said = request?.reviews.some(
    (review) =>
      review.index < trusted.index &&
      review.entry.header.actor.id === actor.id &&
      // A payload that is not there may say it: the check is listed as not made.
      (!isThere(review) ||
        (member(review.payload, 'verdict') === 'approve' && member(review.payload, 'always') === true)),
  );
  if (asked === undefined || said !== true)
    return wrong(`${actor.display_name} said no "always" in an answer to a call.`);
  const shape = member(trusted.payload, 'shape');
  const prompted = canonicalJson(member(asked.payload, 'prompt', 'always_covers'));
  const compared = !prompted.includes(MASK) && typeof shape === 'string' && !shape.includes(MASK);
  if (member(asked.payload, 'tool') !== member(trusted.payload, 'tool') || (compared && prompted !== shape))
    wrong(`${actor.display_name} is said to trust other calls than the prompt of the answered one named.`);
  if (member(request?.opened?.payload ?? null, 'obligations', 'confirm_word') !== null)
    wrong(`${actor.display_name} is said to trust calls that each take a typed word.`);
}

/**
 * A call was let through by an "always" exactly if its decision says so. The "always" was in force and covers the call.
 * Its maker has no part in the call, or may answer it (T03).
 */
export function checkTrustUsed(log: SessionLog, decided: LocatedEntry, word: string, refuse: Refuse): void {
  const { id } = decided.entry.header.subject;
  const wrong = (message: string): never => refuse('story.trust_used', message, decided.pointer);
  const decision = log.decisionOf(decided);
  const reasons = member(decision?.result ?? null, 'reasons');
  const used = Array.isArray(reasons) && reasons.some((reason: Json) => member(reason, 'code') === 'session.trusted');
  if (used !== (word === 'trusted'))
    wrong(`The decision about the call ${id} rests on an "always", and its entry does not, or the other way round.`);
  if (!used) return;
  const trustId = member(decided.payload, 'trust_id');
  if (typeof trustId !== 'string') return wrong(`The call ${id} was trusted, and its entry names no "always".`);
  const before = log.located.filter(({ index }) => index < decided.index);
  const said = before.filter(({ entry }) => entry.header.action === 'session.trusted');
  const trust = said.find(({ payload }) => member(payload, 'trust_id') === trustId);
  if (trust === undefined)
    // One without a payload may be it: the check is listed as not made.
    return said.every(isThere) ? wrong(`The call ${id} was trusted by an "always" that nobody had said.`) : undefined;
  const back = before.find(
    ({ entry: { header }, index, payload }) =>
      index > trust.index &&
      TAKES_BACK.has(header.action) &&
      (header.action === 'session.changed' || member(payload, 'trust_id') === trustId),
  );
  if (back !== undefined) wrong(`The call ${id} was trusted by an "always" that had been taken back.`);
  if (member(trust.payload, 'tool') !== member(decided.payload, 'tool') || !covers(trust.payload, decided.payload))
    wrong(`The call ${id} was trusted by an "always" for other calls.`);
  const own = (message: string): never => refuse('story.trust_own', message, decided.pointer);
  const { actor } = trust.entry.header;
  if (behindCall(log, decided, own).has(actor.id))
    own(`${actor.display_name}, who has a part in the call ${id}, had said the "always" that it was trusted by.`);
}

/**
 * Whether the arguments have the values of the shape, if the tool identifies its calls by pointers into them. The shape of a command
 * line takes the server's parser to read: only the tool is compared.
 */
function covers(trust: Json, call: Json): boolean {
  const shape = member(trust, 'shape');
  const args = member(call, 'arguments');
  if (typeof shape !== 'string' || args === null || shape.includes(MASK)) return true;
  return Object.entries(membersIn(shape)).every(([pointer, value]) => {
    const own = pointer.startsWith('/') ? canonicalJson(valueAt(args, pointer)) : MASK;
    return own.includes(MASK) || own === canonicalJson(value);
  });
}

function membersIn(text: string): JsonObject {
  const shape = parseStrictJson(text);
  return isJsonObject(shape) ? shape : {};
}

/** The value at a JSON Pointer (RFC 6901), or null. */
function valueAt(value: Json, pointer: string): Json {
  let inner = value;
  for (const token of pointer.slice(1).split('/')) {
    const key = token.replaceAll('~1', '/').replaceAll('~0', '~');
    inner = isJsonList(inner) ? (inner[Number(key)] ?? null) : member(inner, key);
  }
  return inner;
}
