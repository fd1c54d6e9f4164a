import type { Json } from '#lib/canonical';
import type { ToolCallId, Tx } from '#lib/kernel';
import { standing } from '../domain/call-changes.js';
import type { CallFault, ToolCall } from '../domain/tool-call.js';
import type { ToolCallRepository } from './tool-call.port.js';

/** How a call ended. `failed` is also a call that was never made, or whose outcome is unknown. */
export type EndedCall =
  | { readonly kind: 'succeeded'; readonly result: Json }
  | { readonly kind: 'failed'; readonly fault: CallFault };

/** Reads how a call ended, for the stage that waits for it. */
export class ReadCallEnd {
  constructor(private readonly calls: Pick<ToolCallRepository, 'find'>) {}

  /** Null while its outcome is awaited. */
  async of(tx: Tx, id: ToolCallId): Promise<EndedCall | null> {
    const call = await this.calls.find(tx, id);
    return call === null ? { kind: 'failed', fault: GONE } : endOf({ ...call, ...standing(call, await tx.now()) });
  }
}

function endOf(call: ToolCall): EndedCall | null {
  switch (call.state) {
    case 'pending':
    case 'allowed':
    case 'executing':
      return null;
    case 'succeeded':
      return { kind: 'succeeded', result: call.result };
    case 'failed':
    case 'unknown':
      return { kind: 'failed', fault: call.error };
    case 'denied':
      return { kind: 'failed', fault: 'denial' in call ? call.denial : DENIED };
    case 'expired':
      return { kind: 'failed', fault: EXPIRED };
  }
}

const GONE: CallFault = { code: 'tool_call.gone', message: 'The call is not on record' };
const DENIED: CallFault = { code: 'tool_call.denied', message: 'The call was denied' };
const EXPIRED: CallFault = { code: 'tool_call.expired', message: 'The call did not leave in time, and was not made' };
