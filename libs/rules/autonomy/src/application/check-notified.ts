import { isDeepStrictEqual } from 'node:util';
import type { AutonomyDocument } from '#lib/formats';
import type { FieldError, Tx } from '#lib/kernel';
import { positionOf, pointerOf } from '../domain/explain-issue.js';
import type { SourcedDocument } from '../domain/read-document.js';
import type { NotifiedDestinations } from './autonomy.ports.js';

/**
 * Checks that break-glass reaches the destinations that it names. A document is refused if it adds a destination
 * without an address that took a test message. It is refused, too, if it switches break-glass on with such a
 * destination. A destination that was in force and stopped answering is a warning: it must not keep other changes out.
 * Without a destination, a person beside the invoker must hear.
 */
export async function checkNotified(
  tx: Tx,
  destinations: NotifiedDestinations,
  { document, yaml }: SourcedDocument,
  standing: AutonomyDocument | null,
): Promise<{ readonly errors: readonly FieldError[]; readonly warnings: readonly FieldError[] }> {
  const override = document.emergency_override;
  if (override?.enabled !== true) return { errors: [], warnings: [] };
  const names = override.notifies ?? [];
  const before = standing?.emergency_override;
  const inForce = before?.enabled === true ? (before.notifies ?? []) : [];
  if (names.length === 0) {
    if (await destinations.tellsAnother(tx, override.allowed_roles ?? []))
      return { errors: [], warnings: [nobodyNamed(yaml)] };
    const nobody = [nobodyNotified(yaml)];
    return isDeepStrictEqual(before, override) ? { errors: [], warnings: nobody } : { errors: nobody, warnings: [] };
  }
  const found = (await destinations.unanswered(tx, names)).map(({ name, why }) => {
    const pointer = pointerOf(['emergency_override', 'notifies', String(names.indexOf(name))]);
    const message = `Break-glass would not reach ${name}: it ${why}. Add an address under Settings, Incidents, and send it a test message.`;
    return {
      name,
      error: { pointer, code: 'autonomy.unreachable_destination', message, ...positionOf(pointer, yaml) },
    };
  });
  return {
    errors: found.filter(({ name }) => !inForce.includes(name)).map(({ error }) => error),
    warnings: found.filter(({ name }) => inForce.includes(name)).map(({ error }) => error),
  };
}

function nobodyNotified(yaml: SourcedDocument['yaml']): FieldError {
  const pointer = pointerOf(['emergency_override']);
  return {
    pointer,
    code: 'autonomy.tells_nobody',
    message:
      'Break-glass would notify only the person who uses it: notifies names no destination, and no other PlatformAdmin or SecurityReviewer exists. Name a destination that took a test message, or give somebody else one of these roles.',
    ...positionOf(pointer, yaml),
  };
}

function nobodyNamed(yaml: SourcedDocument['yaml']): FieldError {
  const pointer = pointerOf(['emergency_override']);
  return {
    pointer,
    code: 'autonomy.no_destination',
    message:
      'Break-glass names no destination under notifies: PlatformAdmins and SecurityReviewers are notified as people, and no destination is.',
    ...positionOf(pointer, yaml),
  };
}
