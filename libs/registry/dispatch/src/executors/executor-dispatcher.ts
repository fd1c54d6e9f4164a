import { digestOf } from '#lib/kernel';
import { inSpan, noteOn } from '#lib/tracing';
import {
  notStarted,
  type Dispatched,
  type DispatchOrder,
  type ToolDispatcher,
} from '../application/tool-dispatcher.port.js';
import type { ExecutorKinds, WayOut } from './executor-kind.js';

/** Codes of this library; a tool server's own codes may be anything. */
const OWN_CODE = /^dispatch\.[a-z_]+$/;

/** Checks each call against the approved executor, and hands it to the dispatcher of its executor's kind. */
export class ExecutorDispatcher implements ToolDispatcher {
  readonly #dispatchers: ReadonlyMap<string, ToolDispatcher>;

  constructor(kinds: ExecutorKinds, out: WayOut) {
    this.#dispatchers = new Map(kinds.map((kind) => [kind.name, kind.dispatcher(out)]));
  }

  dispatch(order: DispatchOrder): Promise<Dispatched> {
    const { tool, executor, tenantId } = order;
    const facts = {
      'countersign.tool': tool.name,
      'countersign.tool_version': tool.version,
      'countersign.executor': executor.name,
      'countersign.tenant_id': tenantId,
    };
    return inSpan('tool call', 'calls', facts, async () => {
      const dispatched = await this.#dispatch(order);
      noteOn({
        'countersign.outcome': dispatched.kind,
        ...('error' in dispatched && OWN_CODE.test(dispatched.error.code)
          ? { 'error.type': dispatched.error.code }
          : {}),
      });
      return dispatched;
    });
  }

  async #dispatch(order: DispatchOrder): Promise<Dispatched> {
    const { kind } = order.executor;
    const dispatcher = this.#dispatchers.get(kind);
    if (dispatcher === undefined) {
      return notStarted('dispatch.executor_unsupported', `Executors of kind ${kind} cannot be called.`);
    }
    if (digestOf('arguments', order.arguments) !== order.argumentsDigest) {
      return notStarted('dispatch.arguments_changed', 'The arguments are not those that were approved.');
    }
    return dispatcher.dispatch(order);
  }
}
