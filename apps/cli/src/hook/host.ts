import type { BodyOf } from '#lib/sdk';
import type { HostCall } from './host-call.js';
import type { ToolRules } from './tool-rules.js';

/** How a call ended, as `POST /v1/tool-calls/{id}/result` takes it, without the names of the grant. */
export type HostOutcome = DistributiveOmit<BodyOf<'post', '/v1/tool-calls/{id}/result'>, 'jti' | 'arguments_digest'>;
type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;

/**
 * The reason that the host starts its hook. The hook asks about a call, tells how a call ended, or ends a host session. `event`
 * is the host's word.
 */
export type HookEvent =
  | { readonly kind: 'asks'; readonly event: string; readonly call: HostCall }
  | { readonly kind: 'tells'; readonly event: string; readonly call: HostCall; readonly outcome: HostOutcome }
  | { readonly kind: 'ends'; readonly event: string; readonly hostSession: string };

/** An answer to the host. `undecided` leaves the call to the host's own rules. */
export type HookAnswer =
  | { readonly verdict: 'allow' | 'deny'; readonly message: string }
  | { readonly verdict: 'undecided' };

/** The formats of one host: a pure module. */
export interface HookHost {
  /** As `countersign hook` takes it. */
  readonly name: string;
  readonly title: string;
  /** The rules of the host's own tools; a settings file replaces them by name. */
  readonly rules: ToolRules;
  /** @returns null if the document is none that this host documents. */
  readonly read: (document: unknown) => HookEvent | null;
  /** @returns the document for standard output; null if the host takes silence for this answer. */
  readonly write: (event: HookEvent, answer: HookAnswer) => object | null;
}
