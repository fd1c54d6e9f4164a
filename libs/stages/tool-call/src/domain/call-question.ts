import { relevantDocument } from '#lib/autonomy';
import type { AutonomyDocument } from '#lib/formats';
import type { CallerFacts, EnvironmentFacts, HaltFacts, ToolCallInput } from '#lib/policy-inputs';
import type { TenantId } from '#lib/kernel';
import type { Session } from '#lib/session';
import type { PathVerdict, ShellVerdict } from '#lib/shell-safety';
import { toolFacts, type ToolVersion } from '#lib/tool';

/** The facts of a decision about one call. */
export interface CallQuestion {
  readonly tenantId: TenantId;
  /** The database's clock, epoch milliseconds. */
  readonly now: number;
  readonly autonomy: AutonomyDocument | null;
  readonly actor: CallerFacts;
  readonly tool: ToolVersion;
  readonly environment: EnvironmentFacts;
  readonly session: Pick<Session, 'autonomy'> | null;
  /** A person chose to always allow calls like this one in the session. */
  readonly trusted: boolean;
  readonly shell: ShellVerdict | null;
  /** The reason why the executor could not execute the line; null if nothing stands against it. */
  readonly notExecutable: string | null;
  readonly paths: PathVerdict | null;
  readonly halts: readonly HaltFacts[];
}

/** The question to the entrypoint `tool_call`. */
export const callQuestion = (facts: CallQuestion): ToolCallInput => ({
  now: facts.now,
  tenant_id: facts.tenantId,
  autonomy: relevantDocument(facts.autonomy, facts.environment.name, facts.tool.name),
  actor: facts.actor,
  tool: toolFacts(facts.tool),
  environment: facts.environment,
  session: facts.session && { ...facts.session.autonomy, trusted: facts.trusted },
  shell: facts.shell && {
    tier: facts.shell.tier,
    class: facts.shell.class,
    not_executable: facts.notExecutable,
  },
  paths: facts.paths && { tier: facts.paths.tier, class: facts.paths.class },
  halts: [...facts.halts],
});
