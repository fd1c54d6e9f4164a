/** The gates at which policies decide, in words; of a plan, its stages. */
export const GATES: Readonly<Record<string, string>> = {
  tool_call: 'a single call',
  validate: 'a plan, when it was submitted',
  simulate: 'a plan, before its simulation',
  request: 'a plan, when approval was asked for',
  execute: 'a plan, at its start',
  run_step: 'a step of a run',
  review: 'a review',
  break_glass: 'break-glass',
  session_change: 'a change of a session',
  automation: 'a call of an automation',
};

export const OUTCOMES = { allow: 'executes', require_approval: 'with approval', deny: 'blocked' } as const;

export const GAINS = {
  looser: 'looser',
  never_satisfiable: 'never satisfiable',
  always_allowed: 'always allowed',
} as const;
