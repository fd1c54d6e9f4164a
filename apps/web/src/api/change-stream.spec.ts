import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { heldTimers, passTimers } from '../../../../test/support/passed-waits.js';
import { followChanges, type ChangeStream } from './change-stream.js';

/** The stream of a browser (WHATWG HTML, section 9.2.2), opened and told by the test. */
class FakeEventSource extends EventTarget {
  static readonly CONNECTING = 0;
  static readonly OPEN = 1;
  static readonly CLOSED = 2;
  static last: FakeEventSource;
  readyState: number = FakeEventSource.CONNECTING;
  constructor(readonly url: string) {
    super();
    FakeEventSource.last = this;
  }
  open(): void {
    this.readyState = FakeEventSource.OPEN;
    this.dispatchEvent(new Event('open'));
  }
  refuse(): void {
    this.readyState = FakeEventSource.CLOSED;
    this.dispatchEvent(new Event('error'));
  }
  change(type: string): void {
    this.dispatchEvent(new MessageEvent('change', { data: JSON.stringify({ type, id: '1', event: 'open' }) }));
  }
  close(): void {
    this.readyState = FakeEventSource.CLOSED;
  }
}

beforeAll(() => {
  Object.defineProperty(globalThis, 'EventSource', { value: FakeEventSource, configurable: true });
});

let streams: ChangeStream[] = [];
afterEach(() => {
  jest.restoreAllMocks();
  for (const stream of streams) stream.close();
  streams = [];
});

const settled = (): Promise<void> => new Promise(setImmediate);

/** A tenant with a number of halts, a page that may read it, and the stream that tells of changes. */
function halts() {
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false, gcTime: Infinity } } });
  let count = 0;
  let readings = 0;
  const queryFn = (): Promise<number> => {
    readings += 1;
    return Promise.resolve(count);
  };
  const page = new QueryObserver(queries, { queryKey: ['/v1/halts'], queryFn, enabled: false });
  const connections: string[] = [];
  const stream = followChanges(queries, (connection) => connections.push(connection));
  streams.push(stream);
  let hasBegun = false;
  void stream.begun.then(() => {
    hasBegun = true;
  });
  return {
    source: FakeEventSource.last,
    stream,
    connections,
    hasBegun: () => hasBegun,
    readings: () => readings,
    shown: () => page.getCurrentResult().data,
    /** Draws the page, which reads. */
    draw: async () => {
      page.setOptions({ queryKey: ['/v1/halts'], queryFn });
      page.subscribe(() => undefined);
      await settled();
    },
    halt: () => {
      count += 1;
    },
  };
}

describe('the stream of changes', () => {
  it('lets a page that waits for it read once, if nothing changes', async () => {
    const { source, stream, draw, readings, hasBegun, connections } = halts();
    await settled();
    expect(hasBegun()).toBe(false);
    source.open();
    await stream.begun;
    await draw();
    expect([readings(), connections, stream.isOpen()]).toEqual([1, ['live'], true]);
  });

  it('loses no change between the reading of a page and its opening', async () => {
    const { source, draw, halt, shown, readings } = halts();
    await draw();
    halt();
    expect(shown()).toBe(0);
    source.open();
    await settled();
    expect([shown(), readings()]).toEqual([1, 2]);
  });

  it('reads again after a change that it tells of, once for several at a time', async () => {
    const { source, draw, halt, shown, readings } = halts();
    source.open();
    await draw();
    const gather = heldTimers(150);
    halt();
    source.change('halt');
    halt();
    source.change('halt');
    source.change('comment');
    // A held timer is a real one of no time, and timers of equal time come in their order.
    await new Promise((resolve) => setTimeout(resolve, 0));
    expect([shown(), readings()]).toEqual([0, 1]);
    gather();
    await settled();
    await settled();
    expect([shown(), readings()]).toEqual([2, 2]);
  });

  it('reads everything again after a change that it does not understand', async () => {
    const { source, draw, halt, shown } = halts();
    source.open();
    await draw();
    halt();
    source.dispatchEvent(new MessageEvent('change', { data: '{}' }));
    await settled();
    expect(shown()).toBe(1);
  });

  it('lets pages begin if it is refused', async () => {
    const { source, stream, connections } = halts();
    source.refuse();
    await stream.begun;
    expect([connections, stream.isOpen()]).toEqual([['lost'], false]);
  });

  it('lets pages begin if no answer comes within a second, and reads again what they read once it comes', async () => {
    passTimers(1_000);
    const { source, stream, draw, readings, connections } = halts();
    await stream.begun;
    expect(connections).toEqual([]);
    await draw();
    expect(readings()).toBe(1);
    source.open();
    await settled();
    expect(readings()).toBe(2);
  });
});
