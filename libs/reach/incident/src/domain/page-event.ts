import type { JsonObject } from '#lib/canonical';
import { type RunId, toTimestamp } from '#lib/kernel';
import { visibleText } from '#lib/words';
import type { Incident } from './incident.js';

/** The actions of PagerDuty's Events API v2. */
export type PageAction = 'trigger' | 'acknowledge' | 'resolve';

/** The action that an event of the timeline calls for. */
export const PAGE_ACTIONS: Readonly<Partial<Record<string, PageAction>>> = {
  opened: 'trigger',
  acknowledged: 'acknowledge',
  resolved: 'resolve',
};

/** The content of a page beside the incident itself. */
export interface PageFacts {
  readonly environment: string;
  readonly invoker: string;
  readonly runId: RunId;
  readonly url: string;
}

const SUMMARY_CHARACTERS = 1_024;

/**
 * An event of the Events API v2, without its routing key. The incident's id is the `dedup_key`, so that an event that is sent
 * twice makes one incident.
 */
export function pageEvent(incident: Incident, action: PageAction, facts: PageFacts): JsonObject {
  const common = { event_action: action, dedup_key: incident.id };
  if (action !== 'trigger') return common;
  return {
    ...common,
    client: 'Countersign',
    client_url: facts.url,
    payload: {
      summary: visibleText(`Break-glass in ${facts.environment} by ${facts.invoker}`).slice(0, SUMMARY_CHARACTERS),
      source: `countersign:${facts.environment}`,
      severity: 'critical',
      timestamp: toTimestamp(incident.openedAt),
      component: facts.environment,
      class: 'break_glass',
      custom_details: {
        justification: visibleText(incident.justification),
        plan_id: incident.planId,
        run_id: facts.runId,
        review_due_at: toTimestamp(incident.reviewDueAt),
      },
    },
    links: [{ href: facts.url, text: 'The incident in Countersign' }],
  };
}

/** The outcome of sending an event. */
export type PageOutcome =
  | { readonly kind: 'sent' }
  | { readonly kind: 'later'; readonly error: string; readonly delayMs: number }
  | { readonly kind: 'failed'; readonly error: string };

const FIRST_DELAY_MS = 2_000;
const MAX_DELAY_MS = 600_000;
/** About two hours with the delays above. */
const MAX_PAGE_ATTEMPTS = 20;

/** 202 is success; 429 and 5xx are tried again; any other status is final. `attempt` counts from 1. */
export function pageOutcome(
  answer: { readonly status: number; readonly retryAfterSeconds: number | null; readonly body: string },
  attempt: number,
): PageOutcome {
  if (answer.status === 202) return { kind: 'sent' };
  const error = `PagerDuty answered ${String(answer.status)}: ${answer.body.slice(0, 500)}`;
  if (answer.status !== 429 && answer.status < 500) return { kind: 'failed', error };
  return later(error, attempt, answer.retryAfterSeconds);
}

/** A connection that failed may work later. */
export const unreachable = (reason: string, attempt: number): PageOutcome => later(reason, attempt, null);

function later(error: string, attempt: number, retryAfterSeconds: number | null): PageOutcome {
  if (attempt >= MAX_PAGE_ATTEMPTS) return { kind: 'failed', error };
  const backoff = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** (attempt - 1));
  const asked = retryAfterSeconds === null ? 0 : Math.min(MAX_DELAY_MS, retryAfterSeconds * 1_000);
  return { kind: 'later', error, delayMs: Math.max(backoff, asked) };
}
