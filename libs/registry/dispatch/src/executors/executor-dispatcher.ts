import { digestOf } from '#lib/kernel';
import { inSpan, noteOn } from '#lib/tracing';
import {
  notStarted,
  type Dispatched,
  type DispatchOrder,
  type ToolDispatcher,
} from '../application/tool-dispatcher.port.js';
import type { ExecutorKind, ExecutorKinds, WayOut } from './executor-kind.js';
import { readOwnSettings } from './own-settings.js';

/** Codes of this library; a tool server's own codes may be anything. */
const OWN_CODE = /^dispatch\.[a-z_]+$/;

/** Checks each call against the approved executor, and hands it to the dispatcher of its executor's kind. */
export class ExecutorDispatcher implements ToolDispatcher {
  readonly #kinds: ReadonlyMap<string, { readonly kind: ExecutorKind; readonly dispatcher: ToolDispatcher }>;

  constructor(kinds: ExecutorKinds, out: WayOut) {
    this.#kinds = new Map(kinds.map((kind) => [kind.name, { kind, dispatcher: kind.dispatcher(out) }]));
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
    const { executor } = order;
    const known = this.#kinds.get(executor.kind);
    if (known === undefined) {
      return notStarted('dispatch.executor_unsupported', `Executors of kind ${executor.kind} cannot be called.`);
    }
    const settings = readOwnSettings(known.kind, executor.settings);
    if (!settings.ok) {
      const wrong = settings.error.map(({ message }) => message).join(' ');
      return notStarted('dispatch.executor_settings', `Executor ${executor.name} cannot be called. ${wrong}`);
    }
    if (digestOf('arguments', order.arguments) !== order.argumentsDigest) {
      return notStarted('dispatch.arguments_changed', 'The arguments are not those that were approved.');
    }
    return known.dispatcher.dispatch({ ...order, executor: { ...executor, settings: settings.value } });
  }
}
