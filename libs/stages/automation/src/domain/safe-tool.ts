import { err, ok, type Digest, type Failure, type PersonId, type Result } from '#lib/kernel';
import type { ToolVersion } from '#lib/tool';
import type { SafeToolId } from './ids.js';

/** A version of a tool that the tenant's list accepts. With another version, effect or risk the tool drops out by itself. */
export interface AcceptedTool {
  readonly tool: string;
  readonly version: number;
  readonly digest: Digest;
  readonly effect: ToolVersion['definition']['effect'];
  readonly risk: ToolVersion['definition']['risk'];
}

/** An entry of the list. Times are epoch milliseconds. */
export interface SafeTool extends AcceptedTool {
  readonly id: SafeToolId;
  readonly addedBy: PersonId;
  readonly addedAt: number;
}

/** A version as an entry accepts it. */
export const acceptedOf = ({ name, version, digest, definition }: ToolVersion): AcceptedTool => ({
  tool: name,
  version,
  digest,
  effect: definition.effect,
  risk: definition.risk,
});

/** Whether an entry would have an effect. Policies decide each call; the list is read for tools of the modify tier alone. */
export function requireListable({ tool, effect, risk }: AcceptedTool): Result<void> {
  if (effect === 'modify' && risk !== 'state_change_prod') return ok(undefined);
  const why = effect === 'read' ? 'only reads, and needs no entry' : 'is never available for automations';
  return err({ ...notListable, message: `The tool ${tool} ${why}.` });
}

const notListable: Failure = {
  kind: 'unprocessable',
  code: 'automation.not_listable',
  message: '',
  action: 'List tools of the effect modify that do not change production.',
};

/** The version that an entry accepts, as policies are given it. */
export const acceptedVersion = (
  entry: AcceptedTool | undefined,
): Pick<AcceptedTool, 'effect' | 'risk' | 'digest'> | null =>
  entry === undefined ? null : { effect: entry.effect, risk: entry.risk, digest: entry.digest };
