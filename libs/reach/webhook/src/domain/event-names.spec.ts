import type { ChangeKind } from '#lib/kernel';
import { eventOf, familyOf } from './event-names.js';

describe('the event of an action', () => {
  it.each([
    ['tool_call.dispatched', 'tool.started'],
    ['tool_call.succeeded', 'tool.completed'],
    ['tool_call.failed', 'tool.failed'],
    ['tool_call.unknown', 'tool.failed'],
    ['tool_call.decided', 'guardrail.tool_call_decided'],
    ['task.created', 'task.created'],
    ['plan.validated', 'plan.validated'],
    ['simulation.failed', 'plan.simulation_failed'],
    ['approval_request.approved', 'approval.approved'],
    ['review.submitted', 'approval.review_submitted'],
    ['run.step_failed', 'run.step_failed'],
    ['break_glass.invoked', 'incident.break_glass_invoked'],
    ['incident.opened', 'incident.opened'],
    ['session.ended', 'session.ended'],
    ['automation_run.step_blocked', 'run.automation_step_blocked'],
    ['automation.enabled', 'guardrail.automation_enabled'],
    ['halt.set', 'guardrail.halt_set'],
    ['credential.minted', null],
    ['role.granted', null],
    ['absence.begun', null],
    ['unheard.of', null],
  ])('%s is %s', (action, event) => {
    expect(eventOf({ action, payload: {} })).toBe(event);
  });

  it('is undecided for a new family', () => {
    expect(familyOf('unheard.of')).toBeUndefined();
    expect(familyOf('person.added')).toBe('internal');
  });
});

describe('T32: the event of a change', () => {
  const sent: Readonly<Record<ChangeKind, boolean>> = {
    ...{ autonomy: true, tool_catalog: true, executor: true, environment: true, runner: true, webhook: true },
    ...{ incident_settings: true, automation_safe_tool: true },
    ...{ role_assignment: false, factor_reset: false, sign_in: false, enrolment: false, person_enabled: false },
    ...{ agent_owner: false, slack_app: false, slack_workspace: false, slack_routes: false, secret_binding: false },
    ...{ audit_retention: false, audit_epoch: false, audit_key: false },
  };
  const eventOfKind = (kind: string): string | null =>
    eventOf({ action: 'change.requested', payload: { kind, subject: { type: 'thing', id: 'one' } } });

  it.each(Object.entries(sent))('of the kind %s is sent: %s', (kind, expected) => {
    expect(eventOfKind(kind)).toBe(expected ? 'guardrail.change_requested' : null);
  });

  it('is not sent for an unknown kind, or if its facts were erased', () => {
    expect(eventOfKind('unheard_of')).toBeNull();
    expect(eventOf({ action: 'change.confirmed', payload: null })).toBeNull();
  });
});
