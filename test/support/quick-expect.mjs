/** Where jest keeps its matchers, and those that a test file adds. */
const OF_EXPECT = Symbol.for('$$jest-matchers-object');
const WAYS = ['not', 'resolves', 'rejects'];

/** Whether a frame of a stack is of this file, which no reader of a failed test looks for. */
export const isOfQuickExpect = (frame) => frame.getFileName() === import.meta.url;

/** The expectation with one matcher alone. Only those of promises keep the stack for an error that comes later. */
function expectationOf(expect, actual, ways, name) {
  const state = globalThis[OF_EXPECT];
  const { matchers } = state;
  if (!(name in matchers)) return undefined;
  const { stackTraceLimit } = Error;
  state.matchers = { [name]: matchers[name] };
  if (!ways.some((way) => way !== 'not')) Error.stackTraceLimit = 0;
  try {
    return expect(actual);
  } finally {
    state.matchers = matchers;
    Error.stackTraceLimit = stackTraceLimit;
  }
}

const asked = (expect, actual, ways = []) =>
  new Proxy(
    {},
    {
      get: (_target, name) =>
        WAYS.includes(name)
          ? asked(expect, actual, [...ways, name])
          : ways.reduce((part, way) => part?.[way], expectationOf(expect, actual, ways, name))?.[name],
    },
  );

/**
 * An `expect` that makes the matcher that a test asks for. Jest's own makes all of them at each call, six functions for each of sixty,
 * and reads a stack.
 */
const quickExpect = (expect) =>
  new Proxy(expect, {
    apply: (_target, self, given) =>
      given.length === 1 ? asked(expect, given[0]) : Reflect.apply(expect, self, given),
  });

/** Has the `expect` that jest gives to a test file be a quick one. */
export function giveQuickExpect() {
  const define = (property) => Reflect.defineProperty(globalThis, 'expect', { configurable: true, ...property });
  define({ set: (expect) => define({ value: quickExpect(expect), writable: true, enumerable: true }) });
}
