import pc from 'picocolors';
import type { ChangeRequestView, WhyNotView } from '#lib/api-schemas';
import { isWaiting, type MayWait } from '#lib/sdk';
import { fields, indented, moment, oneLine, safe, state } from '../output.js';

/** A change request: the guardrails that it loosens, and the people who can confirm it. */
export const waitingLines = (change: ChangeRequestView): string[] => [
  `${pc.yellow('waits for a second person')}: ${oneLine(change.what)}`,
  ...indented(change.loosens.map((what) => `LOOSENS ${oneLine(what)}`)),
  ...indented(warned(change.role_warnings ?? [])),
  ...indented([
    `change ${change.id}, until ${moment(change.expires_at)}`,
    `${whoConfirms(change)}: countersign changes confirm ${change.id}`,
  ]),
];

const whoConfirms = ({ confirmers, required_role: role }: ChangeRequestView): string =>
  confirmers.length === 0
    ? `nobody can confirm it yet; it takes ${oneLine(role)}, and a second factor`
    : `${confirmers.map(knownPerson).join(' or ')} can confirm it with a second factor`;

/** A name, and the reasons why its bearer is known. */
const knownPerson = ({ display_name: name, known_by: known }: ChangeRequestView['requested_by']): string =>
  oneLine(known === undefined || known.length === 0 ? name : `${name} (${known.join('; ')})`);

const warned = (warnings: readonly string[]): string[] =>
  warnings.map((warning) => pc.yellow(`warning: ${oneLine(warning)}`));

interface MayBeAlone {
  readonly guarded?: false | undefined;
  readonly guardrail_warning?: string | undefined;
  readonly role_warnings?: readonly string[] | undefined;
}

/** The lines of a change that is finished or waits. They warn if a finished change loosened without a second person. */
export function guardedLines<Done extends MayBeAlone>(
  answer: MayWait<Done>,
  linesOf: (done: Done) => readonly string[],
): string[] {
  if (isWaiting(answer)) return waitingLines(answer);
  const { guardrail_warning: alone, role_warnings: roles = [] } = answer;
  return [...linesOf(answer), ...warned([...(alone === undefined ? [] : [alone]), ...roles])];
}

/** Everything that somebody looks at before they decide. */
export function changeLines(change: ChangeRequestView): string[] {
  const { diff, ...detail } = change.detail;
  return [
    `${pc.bold('change')} ${change.id}: ${state(change.state)}`,
    ...fields([
      ['what', oneLine(change.what)],
      ['asked for by', knownPerson(change.requested_by)],
      ['why', oneLine(change.reason)],
      ['opened', moment(change.opened_at)],
      ['expires', moment(change.expires_at)],
      ...(change.closed_by === null ? [] : [['decided by', oneLine(change.closed_by.display_name)] as const]),
      ...(change.closed_reason === null ? [] : [['because', oneLine(change.closed_reason)] as const]),
      ['digest', change.change_digest],
    ]),
    ...change.loosens.map((what) => pc.yellow(`LOOSENS ${oneLine(what)}`)),
    ...warned(change.role_warnings ?? []),
    ...(diff === undefined ? [] : diff.trimEnd().split('\n').map(diffLine)),
    ...(Object.keys(detail).length === 0 ? [] : safe(JSON.stringify(detail, null, 2)).split('\n')),
    ...(change.state === 'open' ? [whoConfirms(change)] : []),
    ...(change.state === 'open' && change.you.why_not !== null ? refusalLines(change.you.why_not) : []),
  ];
}

const refusalLines = ({ message, action }: WhyNotView): string[] => [
  oneLine(message),
  ...(action === undefined ? [] : [oneLine(action)]),
];

function diffLine(line: string): string {
  if (line.startsWith('+')) return pc.green(safe(line));
  return line.startsWith('-') ? pc.red(safe(line)) : safe(line);
}
