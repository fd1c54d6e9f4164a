/**
 * The way out: grants (what a tool server checks before it acts) and executors (how a call reaches it).
 *
 * Owns signing keys for grants, redemption, and the outbound connection with its address rules. Every dispatch, a
 * simulation's included, carries a grant; nothing else in Countersign calls a tool. It decides nothing: whoever hands it
 * an order has decided.
 */
export type { DispatchError, DispatchOrder, DispatchOutcome, ToolDispatcher } from './application/tool-dispatcher.port.js';
