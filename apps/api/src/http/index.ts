/**
 * The parts of a controller. They are access to its routes, the schemas of its bodies, its answers, and the form of a refusal.
 *
 * A controller declares a scope on every route and takes bodies only with a schema. It calls one use case and unwraps its result.
 * It decides nothing.
 */
export {
  CurrentPrincipal,
  Emergency,
  Public,
  PublicExchange,
  PublicLook,
  RequirePerson,
  RequireRole,
  RequireScope,
} from './access.js';
export { Answers, AnswersAs, AnswersNothing, MayBeThere, MayWait, Redirects, Summary } from './answers.js';
export { BrowserSessions } from './browser-sessions.js';
export { budgetSpent } from './budget-spent.js';
export { Callers } from './callers.js';
export { CurrentPerson } from './current-person.js';
export { WakeSignal } from './wake-signal.js';
export { FailedAttempts } from './failed-attempts.js';
export { DATABASE, REQUEST_BUDGET } from './http.tokens.js';
export { etagOf, requireIfMatch } from './etag.js';
export { fieldErrorsOf } from './field-errors-of.js';
export { Idempotent, IdempotentWithSecretAnswer, OneTransaction } from './idempotency.interceptor.js';
export { markKnown } from './json-body.interceptor.js';
export { isLongBody } from './incoming-body.js';
export { MayHold } from './may-hold.js';
export { MessageAccess } from './message-access.js';
export { decodeCursor, encodeCursor, pageAfter, toPage, type PageKey } from './page.js';
export { endTurn } from './request-turns.js';
export {
  clearBrowserSessionCookie,
  setBrowserSessionCookie,
  setSignInCookie,
  signInTokenOf,
} from './browser-session-cookie.js';
export { MAX_PARAMETER } from './max-parameter.js';
export { refuseInJson } from './refuse-in-json.js';
export { thingsOf } from './things-of.js';
export { takeUpgrade, type Upgrade } from './upgrades.js';
export { untilGone } from './until-gone.js';
export { unwrap } from './unwrap.js';
export { whyNotView } from './why-not-view.js';
export { readDocumentBody, type DocumentBody, type DocumentKind } from './yaml-body.js';
export { problemOf } from './problem.js';
export { pageAddress, ProblemsOn } from './problem-page.js';
