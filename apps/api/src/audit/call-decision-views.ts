import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import type { CallDecisionView } from '#lib/api-schemas';
import type { AuditEntryView } from '#lib/audit';
import { TOOL_CALL_DECISIONS } from '#lib/formats';
import type { Principal } from '#lib/kernel';
import { shellFactsSchema } from '#lib/policy-inputs';
import { CLASS_LEVEL } from '#lib/shell-safety';
import { ReadRegistry } from '#lib/tool';

/** The facts of a decision that lines show. */
const factsSchema = z.looseObject({
  tool: z.string(),
  tool_version: z.int().nullable(),
  environment: z.string(),
  decided_as: z.enum(TOOL_CALL_DECISIONS).optional(),
  asked_by: z.object({ kind: z.enum(['agent', 'person']), id: z.string() }).optional(),
  arguments: z.record(z.string(), z.json()).optional(),
  shell: shellFactsSchema.optional(),
});
type Facts = z.infer<typeof factsSchema>;

const LONGEST_SUMMARY = 300;

/** Shows audit entries about single tool calls as the decisions that they record. */
@Injectable()
export class CallDecisionViews {
  constructor(private readonly registry: ReadRegistry) {}

  /** In the order of the entries. */
  async of(by: Principal, entries: readonly AuditEntryView[]): Promise<CallDecisionView[]> {
    const facts = entries.map(({ payload }) => factsSchema.safeParse(payload).data ?? null);
    const levels = await this.registry.levels(
      by,
      facts.map((one) => ({ name: one?.tool ?? '', version: one?.tool_version ?? 0 })),
    );
    return entries.map(({ header }, index) => {
      const { id, occurred_at, actor, subject, within } = header;
      const known = facts[index] ?? null;
      const shell = known?.shell ?? null;
      return {
        id,
        occurred_at,
        tool_call_id: subject.id,
        session_id: within.find(({ type }) => type === 'session')?.id ?? null,
        agent_id: askingAgent(known, actor),
        actor: actor as CallDecisionView['actor'],
        tool: known?.tool ?? null,
        environment: known?.environment ?? null,
        risk: shell === null ? (levels[index] ?? null) : CLASS_LEVEL[shell.class],
        tier: shell?.tier ?? null,
        class: shell?.class ?? null,
        decision: known?.decided_as ?? null,
        command: known?.arguments === undefined || shell === null ? null : wordsOf(known.arguments, true),
        summary: known === null ? 'The facts of this call were erased under the retention rule.' : summaryOf(known),
      };
    });
  }
}

/** Such as `shell in staging, tier 2 WRITE, denied: touch notes`. */
function summaryOf({ tool, environment, decided_as, arguments: args, shell }: Facts): string {
  const verdict = shell === undefined ? '' : `, tier ${String(shell.tier)} ${shell.class}`;
  const said = args === undefined ? '' : `: ${wordsOf(args, shell !== undefined)}`;
  const line =
    `${tool} in ${environment}${verdict}, ${(decided_as ?? 'waits for an answer').replaceAll('_', ' ')}${said}`.replace(
      /\s+/g,
      ' ',
    );
  return line.length > LONGEST_SUMMARY ? `${line.slice(0, LONGEST_SUMMARY - 1)}…` : line;
}

/** A command line by itself, if it is the one text among the arguments. */
function wordsOf(args: NonNullable<Facts['arguments']>, ofCommandLine: boolean): string {
  const [text, ...others] = Object.values(args).filter((value) => typeof value === 'string');
  return ofCommandLine && text !== undefined && others.length === 0 ? text : JSON.stringify(args);
}

/** The agent that asked: people answer about its calls, so they are the actors of some decisions. */
function askingAgent(known: Facts | null, actor: AuditEntryView['header']['actor']): string | null {
  const asker = known?.asked_by ?? actor;
  return asker.kind === 'agent' ? asker.id : null;
}
