import { checkCallArguments } from './check-call-arguments.js';
import { checkCallCourse } from './check-call-course.js';
import { member } from './json-member.js';
import type { Pack } from './pack-shape.js';
import { isThere, sessionLogOf, type LocatedEntry, type SessionLog } from './session-log.js';
import type { Refuse } from './verification-failure.js';

/**
 * Checks the entries of a run of an automation against each other. Policy decided each call once, by the rules for
 * automations and about this very call. A step made only a call that was allowed before, and a call was sent only as it
 * was allowed.
 */
export function checkAutomationRun(pack: Pack, refuse: Refuse): string[] {
  const log = sessionLogOf(pack);
  const decided = new Map<string, LocatedEntry>();
  let allowed = 0;
  for (const one of log.located) {
    const { action, subject } = one.entry.header;
    if (action === 'automation_run.step_called') checkCalled(decided, one, refuse);
    if (action !== 'tool_call.decided') continue;
    if (decided.has(subject.id))
      refuse('story.call_decided_twice', `The call ${subject.id} was decided more than once.`, one.pointer);
    decided.set(subject.id, one);
    checkDecision(log, one, refuse);
    checkCallArguments(one, refuse);
    if (isAllowed(one)) allowed += 1;
  }
  const course = checkCallCourse(log.located, refuse);
  if (decided.size === 0) return ['No call was decided in the run.'];
  const calls = `${String(decided.size)} ${decided.size === 1 ? 'call' : 'calls'} decided, each once`;
  return [
    `${calls} (${String(allowed)} allowed): as policy said about an automation, and about these very calls.`,
    ...course,
  ];
}

const isAllowed = ({ payload }: LocatedEntry): boolean => member(payload, 'decided_as') === 'auto_approved';

/** A step names the call that it made: one that was allowed before. */
function checkCalled(decided: ReadonlyMap<string, LocatedEntry>, one: LocatedEntry, refuse: Refuse): void {
  if (!isThere(one)) return;
  const id = member(one.payload, 'tool_call_id');
  const named = typeof id === 'string' ? id : '';
  const before = decided.get(named);
  if (before === undefined || (isThere(before) && !isAllowed(before)))
    refuse('story.call_not_allowed', `A step made the call ${named}, which had not been allowed before.`, one.pointer);
}

/** The decision that a call names is about an automation and this call. It allows the call if the call was allowed. */
function checkDecision(log: SessionLog, one: LocatedEntry, refuse: Refuse): void {
  if (!isThere(one)) return;
  const { id } = one.entry.header.subject;
  const decision = log.decisionOf(one);
  if (decision === null) {
    if (isAllowed(one)) refuse('story.call_decision', `No decision in the pack allows the call ${id}.`, one.pointer);
    return;
  }
  const { payload } = one;
  const pairs = [
    [decision.entrypoint, 'automation'],
    [member(decision.input, 'tool', 'name'), member(payload, 'tool')],
    [member(decision.input, 'environment', 'name'), member(payload, 'environment')],
    [member(decision.input, 'shell', 'tier'), member(payload, 'shell', 'tier')],
    [member(decision.input, 'paths', 'tier'), member(payload, 'paths', 'tier')],
  ] as const;
  if (pairs.some(([told, recorded]) => told !== recorded))
    refuse('story.call_decision', `The call ${id} names the decision about another call.`, one.pointer);
  if (isAllowed(one) && member(decision.result, 'outcome') !== 'allow')
    refuse(
      'story.call_decision',
      `The call ${id} is said to be allowed, and its decision does not allow it.`,
      one.pointer,
    );
}
