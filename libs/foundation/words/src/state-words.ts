/** Every state that anything can be in, as people read it; a test holds it against the database's states. */
const WORDS = {
  // plans, and their status
  draft: 'draft',
  invalid: 'invalid',
  validated: 'valid',
  simulated: 'simulated',
  awaiting_approval: 'awaiting approval',
  approved: 'approved',
  executed: 'executed',
  superseded: 'replaced by a newer revision',
  withdrawn: 'withdrawn',
  // requests and changes
  open: 'open',
  consumed: 'approved and started',
  denied: 'rejected',
  rejected: 'rejected',
  changes_requested: 'changes requested',
  expired: 'expired',
  voided: 'no longer valid',
  applied: 'in force',
  // tasks and runs
  created: 'created',
  planned: 'planned',
  queued: 'queued',
  executing: 'executing',
  paused: 'paused',
  rolling_back: 'rolling back',
  rolled_back: 'rolled back',
  rollback_failed: 'rollback failed',
  completed: 'completed',
  cancelled: 'cancelled',
  // calls and simulations
  allowed: 'allowed',
  pending: 'pending',
  running: 'running',
  dispatched: 'sent',
  succeeded: 'succeeded',
  refused: 'refused',
  failed: 'failed',
  unknown: 'effect unknown',
  compensating: 'being undone',
  compensated: 'undone',
  compensation_failed: 'could not be undone',
  stale: 'out of date',
  // sessions
  ended: 'ended',
  // runners and their calls
  invited: 'waits for its machine',
  online: 'online',
  offline: 'offline',
  revoked: 'revoked',
  waiting: 'waits for a runner',
  taken: 'taken by a runner',
  answered: 'answered',
  lost: 'not answered in time',
  answered_late: 'answered too late',
  // incidents
  acknowledged: 'acknowledged',
  resolved: 'resolved',
  reviewed: 'reviewed',
  // automations, their runs and steps
  proposed: 'waits for an admin',
  enabled: 'enabled',
  disabled: 'disabled',
  skipped: 'left out',
  calling: 'waits for its call',
  not_met: 'condition does not hold',
  blocked: 'blocked',
  // moves of a tenant
  copying: 'its rows are being copied',
  caught_up: 'copied, and followed',
  draining: 'waits for calls under way',
  frozen: 'frozen',
  compared: 'found equal on both sides',
  switched: 'handed over to the target',
  done: 'moved',
  forgotten: 'moved, and its rows removed',
  undone: 'undone',
  arriving: 'arriving',
  arrived: 'arrived',
  // factors, step-ups and messages
  active: 'active',
  removed: 'removed',
  proved: 'confirmed',
  used: 'used',
  sent: 'sent',
  delivered: 'delivered',
  // verdicts
  approve: 'approved',
  reject: 'rejected',
  request_changes: 'changes requested',
} as const;

const OF: ReadonlyMap<string, string> = new Map(Object.entries(WORDS));

/** Whether a state has words of its own. */
export const hasStateWords = (state: string): boolean => OF.has(state);

/** A state of anything as people read it: a request that was `consumed` was approved, and its run started. */
export const stateInWords = (state: string): string => OF.get(state) ?? state.replaceAll('_', ' ');
