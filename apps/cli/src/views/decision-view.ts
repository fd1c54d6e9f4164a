import pc from 'picocolors';
import type { AutonomyLine } from '#lib/api-schemas';
import type { Decision } from '#lib/formats';
import { counted, oneLine, state } from '../output.js';

/** A decision of policy, its reasons, and the line of the autonomy document that it comes from. */
export function decisionLines(
  { outcome, reasons, effective, obligations }: Decision,
  line: AutonomyLine | null,
): string[] {
  const source =
    effective.source === 'default'
      ? 'the default, as the tenant has no autonomy document'
      : `${oneLine(effective.source)} of the autonomy document${lineText(line)}`;
  return [
    `${state(outcome)}: ${reasons.map((reason) => `${oneLine(reason.message)} ${pc.dim(oneLine(reason.rule))}`).join('; ')}`,
    `mode ${effective.mode}, from ${source}`,
    ...obligations.approvals.map(({ count, roles }) => `asks for ${slotText(count, roles)}`),
    ...(obligations.phases === 'canary' ? ['only canary phases may be executed'] : []),
    ...(obligations.mfa ? ['asks for a second factor'] : []),
  ];
}

const lineText = (line: AutonomyLine | null): string =>
  line === null ? '' : `, line ${String(line.line)} of revision ${String(line.revision)}`;

/** `2 people out of SRELead or PlatformAdmin`. */
export function slotText(count: number, roles: readonly string[]): string {
  const who = roles.includes('any') ? 'anybody of the tenant' : oneLine(roles.join(' or '));
  return `${counted(count, 'approval')} by ${who}`;
}
