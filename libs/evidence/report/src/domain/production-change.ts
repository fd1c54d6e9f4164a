import type { ChangeException, ProductionChangeView } from '#lib/api-schemas';
import { csvRecord } from '#lib/words';

/** The rows of a period about one run, and its exceptions. */
export interface ChangeFacts {
  readonly breakGlass: boolean;
  readonly withoutApproval: boolean;
  readonly rolledBack: boolean;
  readonly failed: boolean;
  readonly unknownEffects: number;
  readonly voidedApprovals: number;
}

/** The exceptions of a run, in the order of the contract. */
export function exceptionsOf(facts: ChangeFacts): ChangeException[] {
  const found: readonly [ChangeException, boolean][] = [
    ['break_glass', facts.breakGlass],
    ['without_approval', facts.withoutApproval],
    ['rolled_back', facts.rolledBack],
    ['failed', facts.failed],
    ['unknown_effect', facts.unknownEffects > 0],
    ['voided_approval', facts.voidedApprovals > 0],
  ];
  return found.filter(([, holds]) => holds).map(([exception]) => exception);
}

const COLUMNS: readonly (readonly [string, (change: ProductionChangeView) => string | number | null])[] = [
  ['occurred_at', (change) => change.occurred_at],
  ['run_id', (change) => change.run_id],
  ['environment', (change) => change.environment],
  ['state', (change) => change.state],
  ['exceptions', (change) => change.exceptions.join(' ')],
  ['scope', (change) => change.scope],
  ['tools', (change) => change.tools.join(' ')],
  ['targets', (change) => change.targets],
  ['changing_calls', (change) => change.changing_calls],
  ['requester_kind', (change) => change.requester.kind],
  ['requester', (change) => change.requester.name],
  ['on_behalf_of', (change) => change.on_behalf_of],
  ['approvers', (change) => change.approvers.map(({ name, at }) => `${name} (${at})`).join('; ')],
  ['approval_request_id', (change) => change.approval_request_id],
  ['incident_id', (change) => change.incident_id],
  ['started_at', (change) => change.started_at],
  ['finished_at', (change) => change.finished_at],
  ['plan_id', (change) => change.plan_id],
  ['plan_digest', (change) => change.plan_digest],
  ['task_id', (change) => change.task_id],
  ['goal_in_the_requesters_words', (change) => change.goal],
];

/** The names of the columns, as a CSV record. */
export const changeCsvHeader = (): string => csvRecord(COLUMNS.map(([name]) => name));

/** One change as a CSV record. */
export const changeCsvRecord = (change: ProductionChangeView): string =>
  csvRecord(COLUMNS.map(([, valueOf]) => valueOf(change)));
