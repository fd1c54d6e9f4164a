import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import type { CallDecisionView } from '#lib/api-schemas';
import type { AuditEntryView } from '#lib/audit';
import { TOOL_CALL_DECISIONS, TOOL_LEVELS, type ToolLevel } from '#lib/formats';
import type { Principal } from '#lib/kernel';
import { pathFactsSchema, shellFactsSchema, type ShellFacts } from '#lib/policy-inputs';
import { CLASS_LEVEL } from '#lib/shell-safety';
import { liftsRisk, ReadRegistry } from '#lib/tool';

/** The facts of a decision that lines show. */
const factsSchema = z.looseObject({
  tool: z.string(),
  tool_version: z.int().nullable(),
  environment: z.string(),
  decided_as: z.enum(TOOL_CALL_DECISIONS).optional(),
  asked_by: z.object({ kind: z.enum(['agent', 'person']), id: z.string() }).optional(),
  arguments: z.record(z.string(), z.json()).optional(),
  shell: shellFactsSchema.optional(),
  paths: pathFactsSchema.optional(),
});
type Facts = z.infer<typeof factsSchema>;

const MAX_SUMMARY = 300;

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
      const verdict = verdictOf(known);
      return {
        id,
        occurred_at,
        tool_call_id: subject.id,
        session_id: within.find(({ type }) => type === 'session')?.id ?? null,
        agent_id: askingAgent(known, actor),
        actor,
        tool: known?.tool ?? null,
        environment: known?.environment ?? null,
        risk: riskOf(known, levels[index] ?? null),
        tier: verdict?.tier ?? null,
        class: verdict?.class ?? null,
        decision: known?.decided_as ?? null,
        command: known?.arguments === undefined || shell === null ? null : wordsOf(known.arguments, true),
        summary: known === null ? 'The facts of this call were erased under the retention rule.' : summaryOf(known),
      };
    });
  }
}

/** The verdict on the command line, or on the paths if they make the call graver than its tool. */
function verdictOf(known: Facts | null): ShellFacts | null {
  const paths = known?.paths;
  return known?.shell ?? (paths !== undefined && liftsRisk(paths) ? paths : null);
}

function riskOf(known: Facts | null, ofTool: ToolLevel | null): ToolLevel | null {
  const verdict = verdictOf(known);
  if (verdict === null) return ofTool;
  const ofVerdict = CLASS_LEVEL[verdict.class];
  if (known?.shell !== undefined || ofTool === null) return ofVerdict;
  return TOOL_LEVELS.indexOf(ofTool) > TOOL_LEVELS.indexOf(ofVerdict) ? ofTool : ofVerdict;
}

/** Such as `shell in staging, tier 2 WRITE, denied: touch notes`. */
function summaryOf(facts: Facts): string {
  const { tool, environment, decided_as, arguments: args, shell } = facts;
  const judged = verdictOf(facts);
  const verdict = judged === null ? '' : `, tier ${String(judged.tier)} ${judged.class}`;
  const said = args === undefined ? '' : `: ${wordsOf(args, shell !== undefined)}`;
  const line =
    `${tool} in ${environment}${verdict}, ${(decided_as ?? 'waits for an answer').replaceAll('_', ' ')}${said}`.replace(
      /\s+/g,
      ' ',
    );
  return line.length > MAX_SUMMARY ? `${line.slice(0, MAX_SUMMARY - 1)}…` : line;
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
