import { unusedAutomations } from '#lib/automation';
import type { OldRows } from '#lib/database';
import { deliveredMessages } from '#lib/delivery';
import { expiredAnswers } from '#lib/idempotency';
import { oldHookExecutions } from '#lib/lifecycle-hook';
import { oldRunnerCalls } from '#lib/runner-pool';
import { oldSlackInteractions } from '#lib/slack';
import { oldUnjudgedCalls } from '#lib/tool-call';
import { oldDeliveries } from '#lib/webhook';

/** The rows that upkeep deletes, of every library that keeps some for a fixed time. */
export const OLD_ROWS: readonly OldRows[] = [
  expiredAnswers,
  oldSlackInteractions,
  deliveredMessages,
  oldRunnerCalls,
  oldDeliveries,
  oldHookExecutions,
  oldUnjudgedCalls,
  unusedAutomations,
];
