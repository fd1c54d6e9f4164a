import { PLATFORM_ADMIN } from '#lib/formats';
import { err, notFound, ok, type Failure, type PersonId, type Principal, type Result } from '#lib/kernel';
import type { Session } from './session.js';

/**
 * Whether a principal may read a session. An agent reads its own. People read all, as they read tasks.
 *
 * @returns `resource.not_found`: an agent learns nothing of other sessions.
 */
export const mayRead = (principal: Principal, session: Session): Result<void> =>
  principal.kind !== 'agent' || session.agentIds.includes(principal.agentId) ? ok(undefined) : err(notFound('session'));

/**
 * Whether a principal takes part in a session. It is one of the session's agents, or the person who opened it or
 * delegated to its opener. Or it is the accountable owner of one of its agents, or a PlatformAdmin. Anybody can issue
 * any agent a delegation, so a delegation opens only sessions of the same person.
 *
 * @param owners the accountable people of its agents.
 * @returns `resource.not_found`, `session.not_yours`.
 */
export function takesPart(principal: Principal, session: Session, owners: readonly PersonId[]): Result<void> {
  const readable = mayRead(principal, session);
  if (!readable.ok) return readable;
  const { id, onBehalfOf } = session.openedBy;
  switch (principal.kind) {
    case 'agent':
      return principal.onBehalfOf === null || [id, onBehalfOf].includes(principal.onBehalfOf)
        ? ok(undefined)
        : err(notYours);
    case 'person':
      return [id, onBehalfOf, ...owners].includes(principal.personId) ||
        principal.roles.some(({ role }) => role === PLATFORM_ADMIN)
        ? ok(undefined)
        : err(notYours);
    case 'system':
      return err(notYours);
  }
}

const notYours: Failure = {
  kind: 'forbidden',
  code: 'session.not_yours',
  message: 'You take no part in this session.',
  action: `Ask the person who opened it, the accountable owner of one of its agents, or a ${PLATFORM_ADMIN}.`,
};
