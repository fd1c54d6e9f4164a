import type { Decision } from '#lib/formats';
import type { FieldError, Tx } from '#lib/kernel';
import { canEverFill, canFill, without } from '../domain/fill-quorum.js';
import { positionOf, pointerOf } from '../domain/explain-issue.js';
import type { SourcedDocument } from '../domain/read-document.js';
import type { Census, EnvironmentRow } from './autonomy.ports.js';
import { NO_OVERRIDE, productionProbe } from './approval-demand.js';
import type { Matrix } from './matrix.js';

/** Errors and warnings about the approvers of a document. */
export interface ApproverFindings {
  readonly errors: readonly FieldError[];
  readonly warnings: readonly FieldError[];
}

const nobodyMay = (decision: Decision): boolean =>
  decision.reasons.some(({ code }) => code === 'approval.no_approvers');

/**
 * Asks the policies for the approvals of a production change in every environment of the document. Checks that enough
 * people exist.
 *
 * A quorum that can never be filled is an error. A requester excludes at least one person, themselves or their agent's
 * owner. An approver list without holders is a warning: it keeps the gate shut, and people may follow. So is an agent
 * that needs its own owner's approval, and a second factor that too few people have.
 */
export function checkApprovers(
  tx: Tx,
  now: number,
  matrix: Matrix,
  sourced: SourcedDocument,
  environments: readonly EnvironmentRow[],
  census: Census,
): ApproverFindings {
  const { document, yaml } = sourced;
  const errors = new Map<string, FieldError>();
  const warnings = new Map<string, FieldError>();
  const add = (to: Map<string, FieldError>, path: readonly string[], code: string, message: string): void => {
    const pointer = pointerOf(path);
    if (!to.has(`${code} ${pointer}`))
      to.set(`${code} ${pointer}`, { pointer, code, message, ...positionOf(pointer, yaml) });
  };
  const named = environments.filter(({ name }) => Object.hasOwn(document.autonomy.environments ?? {}, name));
  const tools = [NO_OVERRIDE, ...Object.keys(document.autonomy.tool_overrides ?? {})];
  for (const environment of named) {
    const approvers = approversPath(sourced, environment.name);
    for (const tool of tools) {
      const decision = matrix.decide(tx, now, document, productionProbe(tool), environment);
      const paths = { quorum: quorumPath(sourced, environment.name, tool), approvers };
      for (const { severity, path, code, message } of findingsOf(decision, environment.name, census, paths))
        add(severity === 'error' ? errors : warnings, path, code, message);
    }
  }
  return { errors: [...errors.values()], warnings: [...warnings.values()] };
}

interface Finding {
  readonly severity: 'error' | 'warning';
  /** The path in the document. */
  readonly path: readonly string[];
  readonly code: string;
  readonly message: string;
}

/** The findings about the approvers of one tool in one environment. @param paths the quorum is null if none is in force. */
function findingsOf(
  decision: Decision,
  environment: string,
  census: Census,
  { quorum, approvers }: { readonly quorum: readonly string[] | null; readonly approvers: readonly string[] },
): Finding[] {
  const { approvals, mfa } = decision.obligations;
  const fillable = !nobodyMay(decision) && canEverFill(approvals, census.holders);
  if (!fillable && quorum !== null) {
    const message = unfillable(`Nobody could ever fill this quorum in ${environment}`, decision, census);
    return [{ severity: 'error', path: quorum, code: 'autonomy.unfillable_quorum', message }];
  }
  if (decision.effective.mode === 'plan_only') return [];
  const warning = (code: string, message: string, path = approvers): Finding => ({
    severity: 'warning',
    path,
    code,
    message,
  });
  if (!fillable) {
    const message = unfillable(`Nobody can approve a change in ${environment}`, decision, census);
    return [warning('autonomy.nobody_may_approve', message)];
  }
  const factors = `Production changes in ${environment} take approvals with a second factor, and too few of those who may approve have one.`;
  const needed = census.agents.filter(({ ownerRoles }) => !canFill(approvals, without(census.holders, ownerRoles)));
  return [
    ...(mfa && !canFill(approvals, census.enrolled) ? [warning('autonomy.factors_missing', factors)] : []),
    ...needed.map(({ name }) =>
      warning(
        'autonomy.owner_is_needed',
        `Requests of the agent ${name} cannot be approved in ${environment}. Its owner is among the few who could, and never reviews for it.`,
        quorum ?? approvers,
      ),
    ),
  ];
}

function unfillable(start: string, decision: Decision, census: Census): string {
  if (nobodyMay(decision)) return `${start}: no role it names is among those that may approve.`;
  const asked = decision.obligations.approvals.map(({ count, roles }) => `${String(count)} of ${roles.join(' or ')}`);
  const people = census.holders.reduce((sum, held) => sum + held.people, 0);
  return `${start}: it takes ${asked.join(' and ')}, one distinct person for each, and the requester does not count; the tenant has ${people === 1 ? '1 person' : `${String(people)} people`}.`;
}

/** The quorum in force for a tool in an environment; a tool's own adds to its environment's. */
function quorumPath({ document: { autonomy } }: SourcedDocument, environment: string, tool: string): string[] | null {
  if (autonomy.tool_overrides?.[tool]?.quorum !== undefined) return ['autonomy', 'tool_overrides', tool, 'quorum'];
  if (autonomy.environments?.[environment]?.quorum !== undefined)
    return ['autonomy', 'environments', environment, 'quorum'];
  return autonomy.quorum === undefined ? null : ['autonomy', 'quorum'];
}

function approversPath({ document: { autonomy } }: SourcedDocument, environment: string): string[] {
  if (autonomy.environments?.[environment]?.allowed_approvers !== undefined)
    return ['autonomy', 'environments', environment, 'allowed_approvers'];
  return autonomy.allowed_approvers === undefined
    ? ['autonomy', 'environments', environment]
    : ['autonomy', 'allowed_approvers'];
}
