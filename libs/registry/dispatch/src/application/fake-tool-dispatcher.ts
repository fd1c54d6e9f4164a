import { digestOf } from '#lib/kernel';
import { notStarted, type DispatchOrder, type DispatchOutcome, type ToolDispatcher } from './tool-dispatcher.port.js';

/** Keeps the orders, and answers as the test says; an answer that throws is a tool server that dies. */
export class FakeToolDispatcher implements ToolDispatcher {
  /** In the order in which they came. */
  readonly orders: DispatchOrder[] = [];
  answer: (order: DispatchOrder) => DispatchOutcome | Promise<DispatchOutcome> = () => ({
    kind: 'succeeded',
    result: {},
  });

  async dispatch(order: DispatchOrder): Promise<DispatchOutcome> {
    if (digestOf('arguments', order.arguments) !== order.argumentsDigest) {
      return notStarted('dispatch.arguments_changed', 'The arguments are not those that were approved.');
    }
    this.orders.push(order);
    try {
      return await this.answer(order);
    } catch {
      return { kind: 'unknown', error: { code: 'dispatch.no_answer', message: 'The tool server did not answer.' } };
    }
  }
}
