import type { Json } from '#lib/canonical';
import { documentDigest } from './audit-entry.js';
import { member } from './json-member.js';
import type { PackEntry } from './pack-shape.js';
import type { LocatedEntry } from './session-log.js';
import type { Refuse } from './verification-failure.js';

/** The text that replaces a secret. */
const MASK = '[masked]';

const isMasked = (told: Json): boolean => JSON.stringify(told).includes(MASK);

/**
 * The arguments that an entry about a call tells have its digest. The digest is of the arguments before masking: if the text `[masked]`
 * is in them, {@link hasMaskedArguments} lists the call instead.
 */
export function checkCallArguments({ entry, payload, pointer }: LocatedEntry, refuse: Refuse): void {
  const told = member(payload, 'arguments');
  if (told === null || isMasked(told)) return;
  if (documentDigest('arguments', told) !== member(payload, 'arguments_digest'))
    refuse(
      'story.call_changed',
      `The entry about the call ${entry.header.subject.id} tells other arguments than its arguments_digest is of.`,
      pointer,
    );
}

/** Whether the arguments that an entry about a call tells cannot be compared with their digest. */
export const hasMaskedArguments = ({ header, facts }: PackEntry): boolean =>
  (header.action === 'tool_call.asked' || header.action === 'tool_call.decided') &&
  isMasked(member(facts?.payload ?? null, 'arguments'));
