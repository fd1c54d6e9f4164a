import { member } from './json-member.js';
import { isThere, type LocatedEntry, type SessionLog } from './session-log.js';
import type { Refuse } from './verification-failure.js';

/** The members of a session that policy reads for a call. */
const SETTINGS = ['preset', 'level', 'mode'] as const;

/**
 * Each call was judged under the preset, level and mode that the session had then. They decide whether policy asks
 * people, and whether an approval takes the word CONFIRM.
 */
export function checkCallSettings(log: SessionLog, refuse: Refuse): void {
  const judged = new Set<string>();
  let inForce: LocatedEntry | undefined;
  for (const one of log.located) {
    const { action, subject, decision_id: decisionId } = one.entry.header;
    if (action === 'session.opened' || action === 'session.changed') inForce = one;
    const decides = action === 'tool_call.asked' || action === 'tool_call.decided';
    // An answer names the decision that asked, and was judged then.
    if (!decides || decisionId === null || judged.has(decisionId)) continue;
    judged.add(decisionId);
    const decision = log.decisionOf(one);
    // A payload that is not there may tell them: the check is listed as not made.
    if (decision === null || (inForce !== undefined && !isThere(inForce))) continue;
    const [payload, changed] = [inForce?.payload ?? null, inForce?.entry.header.action === 'session.changed'];
    const settings = changed ? member(payload, 'after') : payload;
    const session = member(decision.input, 'session');
    if (session === null || SETTINGS.some((name) => member(session, name) !== member(settings, name)))
      refuse(
        'story.call_settings',
        `The call ${subject.id} was judged under other settings than its session had.`,
        one.pointer,
      );
  }
}
