import type { ToolCallResponse } from '#lib/formats';
import { sampleTenant } from '../../../../foundation/kernel/src/fake-tenant.js';
import { sampleOrder } from './fake-grant.js';
import type { ExecutorKind } from '../executors/executor-kind.js';
import type { DispatchOrder, ToolDispatcher } from './tool-dispatcher.port.js';

/** A dispatcher with its tool server. */
interface DispatcherOpened {
  readonly dispatcher: ToolDispatcher;
  /** The address of the tool server. */
  readonly executor: Partial<DispatchOrder['executor']>;
  /** The answers of the tool server from now on; `dies` in the middle of the call. */
  answers(answer: ToolCallResponse | 'dies'): void;
  close(): Promise<void>;
}

/** The contract of a dispatcher, for calls to executors of a kind. */
export function describeToolDispatcher(
  name: string,
  kind: Pick<ExecutorKind, 'name' | 'answeredBy'>,
  open: () => Promise<DispatcherOpened>,
): void {
  describe(`${name} keeps the contract of ToolDispatcher`, () => {
    let opened: DispatcherOpened;
    let order: DispatchOrder;
    beforeAll(async () => {
      opened = await open();
      const sample = sampleOrder(sampleTenant());
      order = { ...sample, executor: { ...sample.executor, kind: kind.name, ...opened.executor } };
    });
    afterAll(() => opened.close());

    it('T02: sends and offers nothing if the arguments are not the approved ones', async () => {
      opened.answers({ ok: true, result: { done: 1 } });
      const altered = { ...order, arguments: { targets: ['web-02'] } };
      const error = { code: 'dispatch.arguments_changed' };
      expect(await opened.dispatcher.dispatch(altered)).toMatchObject({ kind: 'failed', effect: 'not_started', error });
    });

    if (kind.answeredBy === 'agent') {
      it('offers each call, and answers nothing itself', async () => {
        expect(await opened.dispatcher.dispatch(order)).toEqual({ kind: 'offered' });
      });
      return;
    }

    it('tells the result of a call that succeeded', async () => {
      opened.answers({ ok: true, result: { done: 1 } });
      expect(await opened.dispatcher.dispatch(order)).toEqual({ kind: 'succeeded', result: { done: 1 } });
    });

    it.each(['not_started', 'done'] as const)('tells the effect of a failed call: %s', async (effect) => {
      const error = { code: 'fleet.broken', message: 'It is broken.' };
      opened.answers({ ok: false, effect, error });
      expect(await opened.dispatcher.dispatch(order)).toEqual({ kind: 'failed', effect, error });
    });

    it('is unknown if the tool server does not know, or died in it', async () => {
      const error = { code: 'fleet.lost', message: 'Nobody knows.' };
      opened.answers({ ok: false, effect: 'unknown', error });
      expect(await opened.dispatcher.dispatch(order)).toEqual({ kind: 'unknown', error });
      opened.answers('dies');
      expect(await opened.dispatcher.dispatch(order)).toMatchObject({ kind: 'unknown' });
    });
  });
}
