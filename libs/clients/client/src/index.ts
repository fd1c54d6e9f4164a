/**
 * The API as its clients see it: paths, bodies and answers, typed from the OpenAPI document. The SDK, the command line and
 * the web UI all call through it; each brings its own transport.
 *
 * Runs in browsers, imports no other library of Countersign, and holds no state.
 */
export type { components, paths } from './api.js';
export {
  addressOf,
  callsThrough,
  filledPath,
  itemsOf,
  type AnswerTo,
  type BodyOf,
  type CallOf,
  type Calls,
  type CallsOf,
  type PageFilter,
  type PageOf,
  type PathOf,
  type SentCall,
} from './calls.js';
export { AnswerTooLong, boundedAnswer } from './bounded-answer.js';
export { isPassing, pauseMs, retryAfterOf } from './is-passing.js';
export { problemIn, type Problem } from './problem.js';
export { jsonIn, runEventIn } from './run-event.js';
export { eventsOf } from './server-sent-events.js';
export { isWaiting, type Change, type MayWait } from './changes.js';
