import type { ReportAttemptBody } from '#lib/api-schemas';
import type { DispatchOutcome } from '#lib/dispatch';

/** The outcome in an agent's report. */
export function reportedOutcome(body: ReportAttemptBody): DispatchOutcome {
  switch (body.outcome) {
    case 'succeeded':
      return { kind: 'succeeded', result: body.result };
    case 'failed':
      return { kind: 'failed', effect: body.effect, error: body.error };
    case 'unknown':
      return { kind: 'unknown', error: body.error };
  }
}
