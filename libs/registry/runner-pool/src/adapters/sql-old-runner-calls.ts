import { dropOldRows, type OldRows } from '#lib/database';
import { runnerDispatchEntity } from './runner.entity.js';

const OLD = runnerDispatchEntity.as('old');

const AGE_MS = 30 * 24 * 3_600_000;

/** Calls for runners, with their output. The answer of each stands with its run or its single call. A worker may have been away for as
 * long: the answer to a call that is still awaited stays for it. */
export const oldRunnerCalls: OldRows = {
  name: 'runner-calls',
  tenants: 'runner_dispatch_ended_tenants',
  ageMs: AGE_MS,
  drop: dropOldRows(
    'runner_dispatch',
    runnerDispatchEntity.column.endedAt,
    `${OLD.endedAt} < $2
       and not exists (select from tool_call one
                        where one.tenant_id = $1 and one.id = ${OLD.sourceId} and one.state = 'executing')
       and not exists (select from run_step one
                        where one.tenant_id = $1 and one.run_id = ${OLD.sourceId} and one.lease_until is not null)`,
  ),
};
