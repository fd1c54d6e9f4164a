import { counted } from '#lib/words';
import { askedIn, saidBy } from './asked-lines.js';
import { bold, bullet, code, paragraph, shown, valueCode } from './lines.js';
import type { CallMessage } from './request-message.js';
import { moment, span, type Line } from './rich-text.js';

/** A request about a call in lines, from the call and the records (T11). The text of others is visible and inert (T10). */
export const callSections = (message: CallMessage, asked: readonly Line[]): readonly (readonly Line[])[] => [
  askedIn(message, message.call.level, `${message.call.category}, ${counted(message.call.targets.length, 'target')}`),
  calls(message),
  asked,
  answers(message),
  message.reason === null ? [] : saidBy(message.requester, [message.reason], 'the call'),
];

function calls({ call: { tool, executor, impact, targets, arguments: given } }: CallMessage): Line[] {
  return [
    paragraph(
      span('Calls '),
      bold(tool.name),
      span(
        executor === null
          ? `, version ${String(tool.version)}, made by the agent itself.`
          : `, version ${String(tool.version)}, by `,
      ),
      ...(executor === null ? [] : [bold(executor.name), span('.')]),
    ),
    paragraph(shown(impact)),
    ...Object.entries(given).map(([name, value]) => bullet(code(name), span(': '), valueCode(value))),
    ...(targets.length === 0 ? [] : [bullet(span('targets: '), shown(targets.join(', ')))]),
  ];
}

/** The word that an approval takes, and the later calls that it may hold for. */
function answers({ state, always, confirmWord }: CallMessage): Line[] {
  if (state !== 'open') return [];
  return [
    ...(confirmWord === null
      ? []
      : [paragraph(span('This call destroys something: to approve it, you type '), bold(confirmWord), span('.'))]),
    ...(always === null
      ? []
      : [
          paragraph(
            bold('Always'),
            span(' approves it, and later calls of this tool in this session with the same values here:'),
          ),
          ...Object.entries(always).map(([name, value]) => bullet(code(name), span(': '), valueCode(value))),
        ]),
  ];
}

/** A call is made or denied within minutes. */
export const callDeadlineLines = ({ state, deadline }: CallMessage): Line[] =>
  state !== 'open' || deadline === null
    ? []
    : [
        paragraph(
          span('To be answered until '),
          moment(deadline),
          span('; without an answer it is denied. It is allowed as soon as it is approved.'),
        ),
      ];
