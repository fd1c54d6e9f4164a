import { visibleText } from '#lib/words';
import type { ToolLevel } from '#lib/formats';
import { bold, paragraph, quote, shown } from './lines.js';
import type { RequestMessage } from './request-message.js';
import { span, type Line } from './rich-text.js';

const RISK_SIGNS = { low: '🟢', medium: '🟡', high: '🟠', critical: '🔴' } as const;

/** The level, the environment, and the requester. @param what the work in words, without a full stop. */
export const askedIn = (
  { requester, environment }: Pick<RequestMessage, 'requester' | 'environment'>,
  level: ToolLevel,
  what: string,
): Line[] => [
  paragraph(
    span(`${RISK_SIGNS[level]} `),
    bold(`${level.toUpperCase()} RISK`),
    span(' in '),
    bold(environment.name),
    span(environment.production && environment.name !== 'production' ? ', which is production' : ''),
    span(`: ${visibleText(what)}.`),
  ),
  paragraph(
    span('Asked by '),
    bold(requester.name),
    span(` (${requester.kind})`),
    ...(requester.onBehalfOf === null ? [] : [span(' on behalf of '), bold(requester.onBehalfOf)]),
    span('.'),
  ),
];

/** The words of the submitter, labelled as unverified. @param trust the part of the message that is to be trusted instead. */
export const saidBy = (
  { kind, name }: RequestMessage['requester'],
  words: readonly string[],
  trust: 'the steps' | 'the call',
): Line[] => [
  paragraph(
    // An agent may have written the plan that a person asks about.
    span(
      kind === 'agent'
        ? `Written by ${visibleText(name)}; not verified. Trust ${trust}, not this text:`
        : `Written by the submitter; not verified. Trust ${trust}, not this text:`,
      { italic: true },
    ),
  ),
  ...words.map((text) => quote(shown(text))),
];
