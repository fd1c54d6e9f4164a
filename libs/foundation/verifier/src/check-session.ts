import { checkCallAnswers } from './check-call-answers.js';
import { checkCallApproval } from './check-call-approval.js';
import { checkCallArguments } from './check-call-arguments.js';
import { checkCallCourse } from './check-call-course.js';
import { checkCallSettings } from './check-call-settings.js';
import { checkTrustSaid, checkTrustUsed } from './check-call-trust.js';
import { member } from './json-member.js';
import type { Pack } from './pack-shape.js';
import { isThere, sessionLogOf, type LocatedEntry, type SessionLog } from './session-log.js';
import type { Refuse } from './verification-failure.js';

/** Words of a decision that people gave, or had the time to give. */
const OF_PEOPLE: readonly string[] = ['approved', 'rejected', 'timeout'];
/** Words of a decision that policy gave without people. */
const OF_POLICY: readonly string[] = ['auto_approved', 'trusted'];

/**
 * Checks the entries of a session of agents against each other:
 *
 * - Policy or people decided each call once, under the settings of the session, about the very arguments of the question.
 * - No call was allowed or first sent after the end. Each was sent only as it was allowed.
 * - People who may answer did. Each "always" is part of an answer, and was in force at each use.
 */
export function checkSession(pack: Pack, refuse: Refuse): string[] {
  const log = sessionLogOf(pack);
  const seen = new Set<string>();
  const served = new Map<string, string>();
  const counts = new Map<string, number>();
  let [ended, byWord] = [false, 0];
  for (const one of log.located) {
    const { action, subject } = one.entry.header;
    if (action === 'session.ended') ended = true;
    if (action === 'session.trusted') checkTrustSaid(log, one, refuse);
    if (action === 'tool_call.decided' || action === 'tool_call.asked') {
      checkOwnDecision(log, one, served, refuse);
      checkCallArguments(one, refuse);
    }
    if (action !== 'tool_call.decided') continue;
    if (seen.has(subject.id))
      refuse('story.call_decided_twice', `The call ${subject.id} was decided more than once.`, one.pointer);
    seen.add(subject.id);
    const word = member(one.payload, 'decided_as');
    if (typeof word !== 'string') continue;
    counts.set(word, (counts.get(word) ?? 0) + 1);
    if (ended && (OF_POLICY.includes(word) || word === 'approved'))
      refuse('story.call_after_end', `The call ${subject.id} was allowed after the session had ended.`, one.pointer);
    if (OF_POLICY.includes(word)) checkByPolicy(log, one, word, refuse);
    if (OF_PEOPLE.includes(word) && !isEscalation(one, word, log))
      checkByPeople(one, log.asked.get(subject.id), word, refuse);
    if (word === 'approved' && checkCallApproval(log, one, refuse) !== null) byWord += 1;
  }
  checkCallSettings(log, refuse);
  const answers = answersIn(log, refuse);
  const course = checkCallCourse(log.located, refuse);
  if (seen.size === 0) return ['No call was decided in the session.'];
  const said = [...counts].map(([word, count]) => `${String(count)} ${word.replaceAll('_', ' ')}`).sort();
  return [
    `${String(seen.size)} ${seen.size === 1 ? 'call' : 'calls'} decided, each once (${said.join(', ')}): as policy and people said, about these very arguments.`,
    ...answers,
    ...wordLines(byWord),
    ...trustLines(counts.get('trusted') ?? 0),
    ...course,
  ];
}

const wordLines = (typed: number): string[] =>
  typed === 0
    ? []
    : [
        `${String(typed)} ${typed === 1 ? 'call was' : 'calls were'} approved with the word CONFIRM, as policy obliged to it.`,
      ];

const trustLines = (used: number): string[] =>
  used === 0
    ? []
    : [
        `${String(used)} ${used === 1 ? 'call was' : 'calls were'} let through by an "always" that a person had said in an answer, and that was in force.`,
      ];

/** Checks all answers of people. */
function answersIn(log: SessionLog, refuse: Refuse): string[] {
  let [count, byOwner] = [0, 0];
  for (const callId of log.asked.keys()) {
    const request = log.requestAbout(callId);
    if (request === null) continue;
    byOwner += checkCallAnswers(log, request, refuse);
    count += request.reviews.length;
  }
  if (count === 0) return [];
  const answers = `${String(count)} ${count === 1 ? 'answer' : 'answers'} by people, in the browser or in Slack, as policy allowed`;
  return byOwner === 0
    ? [`${answers}. None of them had a part in the call.`]
    : [
        `${answers}; ${String(byOwner)} by the owner of the agent, outside production. None of the others had a part in the call.`,
      ];
}

/** Policy rejects a command with other rights, and asks nobody about it. */
const isEscalation = (one: LocatedEntry, word: string, log: SessionLog): boolean =>
  word === 'rejected' &&
  member(one.payload, 'shell', 'class') === 'ESCALATION' &&
  !log.asked.has(one.entry.header.subject.id);

/** A decision that a call names is about this call, and about no other. */
function checkOwnDecision(log: SessionLog, one: LocatedEntry, served: Map<string, string>, refuse: Refuse): void {
  const { subject, decision_id: decisionId } = one.entry.header;
  if (decisionId === null) return;
  const other = (): never =>
    refuse('story.call_decision', `The call ${subject.id} names the decision about another call.`, one.pointer);
  if ((served.get(decisionId) ?? subject.id) !== subject.id) other();
  served.set(decisionId, subject.id);
  const decision = log.decisionOf(one);
  if (decision === null || !isThere(one)) return;
  const { payload } = one;
  const pairs = [
    [decision.entrypoint, 'tool_call'],
    [member(decision.input, 'tool', 'name'), member(payload, 'tool')],
    [member(decision.input, 'environment', 'name'), member(payload, 'environment')],
    [member(decision.input, 'actor', 'id'), member(payload, 'asked_by', 'id')],
    [member(decision.input, 'shell', 'tier'), member(payload, 'shell', 'tier')],
    [member(decision.input, 'shell', 'class'), member(payload, 'shell', 'class')],
    [member(decision.input, 'paths', 'tier'), member(payload, 'paths', 'tier')],
    [member(decision.input, 'paths', 'class'), member(payload, 'paths', 'class')],
  ] as const;
  if (pairs.some(([told, recorded]) => told !== recorded)) other();
}

/** The decision that the entry names allows it. */
function checkByPolicy(log: SessionLog, one: LocatedEntry, word: string, refuse: Refuse): void {
  if (member(log.decisionOf(one)?.result ?? null, 'outcome') !== 'allow')
    refuse(
      'story.call_decision',
      `The call ${one.entry.header.subject.id} is said to be ${word.replaceAll('_', ' ')}, and no decision in the pack allows it.`,
      one.pointer,
    );
  checkTrustUsed(log, one, word, refuse);
}

/** People were asked about exactly this call before. */
function checkByPeople(one: LocatedEntry, asked: LocatedEntry | undefined, word: string, refuse: Refuse): void {
  const { id } = one.entry.header.subject;
  if (asked === undefined || asked.index >= one.index)
    return refuse(
      'story.call_not_asked',
      `The call ${id} is ${word}, and nobody was asked about it before.`,
      one.pointer,
    );
  if (!isThere(asked)) return;
  for (const name of ['arguments_digest', 'tool', 'tool_version', 'environment', 'request_id', 'tree'])
    if (member(asked.payload, name) !== member(one.payload, name))
      refuse(
        'story.call_changed',
        `The call ${id} was decided with another ${name} than people were asked about.`,
        one.pointer,
      );
}
