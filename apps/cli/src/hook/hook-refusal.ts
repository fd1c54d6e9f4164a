/** The refusal of a hook. `code` is stable; `message` names the mistake, its place and the next action. */
export interface HookRefusal {
  readonly code: string;
  readonly message: string;
}
