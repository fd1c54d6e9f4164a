import { executedTree } from './executed-tree.js';
import { member } from './json-member.js';
import { isThere, type LocatedEntry } from './session-log.js';
import type { Refuse, VerificationCode } from './verification-failure.js';

/** The course of a call as its entries tell it. `lost`: stopped after a restore from a backup, which may lack that it was sent. */
type Course = 'undecided' | 'allowed' | 'stopped' | 'lost' | 'sent' | 'answered' | 'unknown';
type Step = 'stop' | 'send' | 'answer' | 'lose' | 'resolve' | 'late';

const STEPS = new Map<string, Step>([
  ['tool_call.cancelled', 'stop'],
  ['tool_call.expired', 'stop'],
  ['tool_call.dispatched', 'send'],
  ['tool_call.succeeded', 'answer'],
  ['tool_call.failed', 'answer'],
  ['tool_call.unknown', 'lose'],
  ['tool_call.resolved', 'resolve'],
  ['tool_call.late_answer', 'late'],
]);

const NOT_ALLOWED = ['story.call_not_allowed', 'and had not been allowed before'] as const;
const STOPPED = ['story.call_stopped', 'after it had been stopped'] as const;
const NOT_SENT = ['story.call_not_sent', 'and had not been sent before'] as const;
const HAS_OUTCOME = ['story.call_outcome', 'and had an outcome already'] as const;
const NOT_UNKNOWN = ['story.call_outcome', 'and its outcome was not unknown'] as const;
type Fault = readonly [VerificationCode, string];

/** The next course by each step, or the fault of it. */
const NEXT: Readonly<Record<Course, Readonly<Record<Step, Course | Fault>>>> = {
  undecided: unsent(NOT_ALLOWED, { stop: NOT_ALLOWED }),
  allowed: unsent(NOT_ALLOWED, { stop: 'stopped', send: 'sent' }),
  stopped: unsent(STOPPED, { stop: STOPPED }),
  lost: unsent(STOPPED, { stop: STOPPED, late: 'lost' }),
  sent: { stop: HAS_OUTCOME, send: 'sent', answer: 'answered', lose: 'unknown', resolve: NOT_UNKNOWN, late: 'sent' },
  answered: over('answered', { resolve: NOT_UNKNOWN }),
  unknown: over('unknown', { resolve: 'answered' }),
};

function unsent(
  send: Fault,
  more: Pick<Record<Step, Course | Fault>, 'stop'> & Partial<Record<Step, Course | Fault>>,
): Record<Step, Course | Fault> {
  return { send, answer: NOT_SENT, lose: NOT_SENT, resolve: NOT_SENT, late: NOT_SENT, ...more };
}

function over(late: Course, more: Pick<Record<Step, Course | Fault>, 'resolve'>): Record<Step, Course | Fault> {
  return { stop: HAS_OUTCOME, send: HAS_OUTCOME, answer: HAS_OUTCOME, lose: HAS_OUTCOME, late, ...more };
}

interface Followed {
  readonly course: Course;
  readonly decided: LocatedEntry;
  readonly sent: number;
}

/** Words of a decision that lets a call leave. */
const ALLOWS: readonly string[] = ['auto_approved', 'trusted', 'approved'];

/**
 * Checks the course of each call after its decision:
 *
 * - It was sent only if it had been allowed and not stopped, once an attempt. It was first sent before the end of its
 *   session.
 * - It was sent with exactly the arguments and the tree of the decision. No runner says that it executed another tree.
 * - It has an outcome only if it was sent, and one alone.
 */
export function checkCallCourse(located: readonly LocatedEntry[], refuse: Refuse): string[] {
  const calls = new Map<string, Followed>();
  let ended = false;
  for (const one of located) {
    const { action, subject } = one.entry.header;
    if (action === 'session.ended') ended = true;
    if (action === 'tool_call.decided') calls.set(subject.id, { course: decidedAs(one), decided: one, sent: 0 });
    const step = STEPS.get(action);
    if (step === undefined) continue;
    const before = calls.get(subject.id);
    const next = NEXT[before?.course ?? 'undecided'][step];
    const said = `The call ${subject.id} was ${DONE[step]}`;
    if (typeof next !== 'string' || before === undefined) {
      const [code, why] = typeof next === 'string' ? NOT_ALLOWED : next;
      return refuse(code, `${said}, ${why}.`, one.pointer);
    }
    // A call that had left is sent again, until its outcome is known.
    if (ended && step === 'send' && before.sent === 0)
      refuse('story.call_after_end', `${said} after the session had ended.`, one.pointer);
    checkSame(before.decided, one, said, refuse);
    const sent = before.sent + (step === 'send' ? 1 : 0);
    if (step === 'send' && isThere(one) && member(one.payload, 'attempt') !== sent)
      refuse('story.call_attempt', `${said} under another attempt than its number ${String(sent)}.`, one.pointer);
    const restored = next === 'stopped' && one.entry.epoch > before.decided.entry.epoch;
    calls.set(subject.id, { ...before, course: restored ? 'lost' : next, sent });
  }
  const sent = [...calls.values()].filter((call) => call.sent > 0).length;
  if (sent === 0) return [];
  return [
    `${String(sent)} ${sent === 1 ? 'call was' : 'calls were'} sent, each after it was allowed, once an attempt, with the arguments that were decided on.`,
  ];
}

const DONE: Readonly<Record<Step, string>> = {
  stop: 'stopped',
  send: 'sent',
  answer: 'answered',
  lose: 'given up',
  resolve: 'resolved',
  late: 'answered late',
};

function decidedAs(decided: LocatedEntry): Course {
  const word = member(decided.payload, 'decided_as');
  // A payload that is not there may allow it: the check is listed as not made.
  return !isThere(decided) || (typeof word === 'string' && ALLOWS.includes(word)) ? 'allowed' : 'stopped';
}

/** The entry is about the very call that was decided. */
function checkSame(decided: LocatedEntry, one: LocatedEntry, said: string, refuse: Refuse): void {
  if (!isThere(decided) || !isThere(one)) return;
  for (const name of ['arguments_digest', 'tool', 'tool_version', 'environment'])
    if (member(decided.payload, name) !== member(one.payload, name))
      refuse('story.executed_digest', `${said} with another ${name} than it was decided with.`, one.pointer);
  const tree = member(decided.payload, 'tree');
  const executed = executedTree(one.payload);
  const dispatched = one.entry.header.action === 'tool_call.dispatched';
  // Without a command line, a member of that name means something else.
  const other = dispatched
    ? tree !== member(one.payload, 'tree')
    : tree !== null && executed !== null && tree !== executed;
  if (other)
    refuse(
      'story.executed_tree',
      `${said} with another tree of its command line than it was decided with.`,
      one.pointer,
    );
}
