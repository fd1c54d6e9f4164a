import type { Dispatcher } from 'undici';

/** Informational answers (RFC 9110 section 15.2) to one request. Servers send one or two, for example Early Hints. */
const MAX_INFORMATION = 50;

/** The methods of a handler that an answer begins with, in its older form and in the newer one. Their first number is its status. */
const STARTS: ReadonlySet<string | symbol> = new Set(['onHeaders', 'onResponseStart']);

/** The server sends informational answers in place of an answer. */
class TooMuchInformationError extends Error {
  constructor() {
    super(`more than ${String(MAX_INFORMATION)} informational answers (status 1xx), and no other`);
  }
}

/**
 * The handler of a request that ends with an error after too many informational answers. They have no body that a limit
 * could count. A server that sends nothing else would keep the processor busy until the deadline.
 */
export function boundedInformation(handler: Dispatcher.DispatchHandler): Dispatcher.DispatchHandler {
  let informed = 0;
  const count = (status: unknown): void => {
    if (Number(status) < 200) informed += 1;
    if (informed > MAX_INFORMATION) throw new TooMuchInformationError();
  };
  return new Proxy(handler, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      if (!STARTS.has(name)) return member.bind(target) as unknown;
      return (...given: unknown[]): unknown => {
        count(given.find((each) => typeof each === 'number'));
        return Reflect.apply(member, target, given);
      };
    },
  });
}
