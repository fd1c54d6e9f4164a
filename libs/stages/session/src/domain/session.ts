import type { SessionEnd, SessionState } from '#lib/formats';
import type { AgentId, EnvironmentId, SessionId } from '#lib/kernel';
import type { SessionFacts } from '#lib/policy-inputs';
import type { Submitter } from '#lib/task';
import type { CallBudgets } from './call-budgets.js';

/** The settings by which policy decides which calls of a session ask a person. */
export type SessionAutonomy = Readonly<Omit<SessionFacts, 'trusted'>>;

/** The settings of a session that names none. */
export const DEFAULT_AUTONOMY: SessionAutonomy = { preset: null, level: 'SUPERVISED', mode: 'ask-on-write' };

/** How much a session may do at once, and how long it and its questions wait. */
export interface SessionLimits {
  /** It ends after resting for so long without a call in flight; to {@link TOUCH_MS}. */
  readonly idleSeconds: number;
  /** How long a call waits for a person's answer before it is denied. */
  readonly approvalSeconds: number;
  /** The most tool calls of one turn, and the most in flight at once. */
  readonly callsPerTurn: number;
  /** The most tool calls of the whole session. */
  readonly callBudget: number;
}

/** The most that a token may ask for, which is what a session gets that names none. */
const BY_TOKEN = { approvalSeconds: 120, callsPerTurn: 8 };

/**
 * Whether its limits take a person. Such limits give a longer wait for answers, or more calls (a turn or in all), than
 * the defaults.
 */
export const exceedsDefaults = (
  { approvalSeconds, callsPerTurn, callBudget }: SessionLimits,
  budgets: CallBudgets,
): boolean =>
  approvalSeconds > BY_TOKEN.approvalSeconds || callsPerTurn > BY_TOKEN.callsPerTurn || callBudget > budgets.byDefault;

/** Calls of one or more agents in one environment, one after another. Times are epoch milliseconds. */
export interface Session extends SessionLimits {
  readonly id: SessionId;
  readonly environment: { readonly id: EnvironmentId; readonly name: string };
  /** In order. They never change: another agent opens a session of its own. */
  readonly agentIds: readonly AgentId[];
  readonly autonomy: SessionAutonomy;
  /** Counts the changes of `autonomy` and `callBudget`, from 1. */
  readonly revision: number;
  /** The model behind the agent, in the agent's own word. It decides nothing. */
  readonly model: string | null;
  readonly state: SessionState;
  readonly endedReason: SessionEnd | null;
  readonly openedBy: Submitter;
  readonly openedAt: number;
  /** To {@link TOUCH_MS}. */
  readonly lastUsedAt: number;
  readonly endedAt: number | null;
}

export interface OpenSession extends Session {
  readonly state: 'open';
}

export interface EndedSession extends Session {
  readonly state: 'ended';
  readonly endedReason: SessionEnd;
  readonly endedAt: number;
}

export const isOpen = (session: Session): session is OpenSession => session.state === 'open';

/** A use is written at most once in this time, so that a busy session costs few writes. */
export const TOUCH_MS = 10_000;

/** When the session ends unless somebody uses it before, or a call of it is in flight then. */
export const idleAt = ({ lastUsedAt, idleSeconds }: Pick<Session, 'lastUsedAt' | 'idleSeconds'>): number =>
  lastUsedAt + idleSeconds * 1_000;

/**
 * Whether it takes calls by its own row. One that rested too long does not, even before a job ends it, unless a call is
 * in flight.
 */
export const isLive = (session: Session, now: number): boolean => isOpen(session) && now < idleAt(session);

export const sameAutonomy = (one: SessionAutonomy, other: SessionAutonomy): boolean =>
  one.preset === other.preset && one.level === other.level && one.mode === other.mode;
