import type { ChangeKind } from '#lib/kernel';
import { eventsOf, familyOf } from './event-names.js';

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
    ['run.step_retried', 'run.step_retried'],
    ['break_glass.invoked', 'incident.break_glass_invoked'],
    ['incident.opened', 'incident.opened'],
    ['session.ended', 'session.ended'],
    ['automation_run.step_blocked', 'run.automation_step_blocked'],
    ['automation.enabled', 'guardrail.automation_enabled'],
    ['halt.set', 'guardrail.halt_set'],
    ['credential.minted', null],
    ['role.assigned', null],
    ['absence.begun', null],
    ['unheard.of', null],
  ])('%s is %s', (action, event) => {
    expect(eventsOf({ action, payload: {} })).toEqual(event === null ? [] : [event]);
  });

  it.each([
    ['run.step_dispatched', 'tool.started'],
    ['run.step_succeeded', 'tool.completed'],
    ['run.step_failed', 'tool.failed'],
    ['run.step_unknown', 'tool.failed'],
    ['run.compensation_dispatched', 'tool.started'],
    ['run.compensation_failed', 'tool.failed'],
  ])('%s is also %s', (action, tool) => {
    expect(eventsOf({ action, payload: {} })).toEqual([action, tool]);
  });

  it('is undecided for a new family', () => {
    expect(familyOf('unheard.of')).toBeUndefined();
    expect(familyOf('person.added')).toBe('internal');
  });
});

describe('T32: the event of a change', () => {
  const sent: Readonly<Record<ChangeKind, boolean>> = {
    ...{ autonomy: true, tool_catalog: true, executor: true, environment: true, runner: true, webhook: true },
    ...{
      incident_settings: true,
      automation_safe_tool: true,
      lifecycle_hook: true,
      siem_collector: true,
      embedder: true,
    },
    ...{ role_assignment: false, factor_reset: false, sign_in: false, enrolment: false, person_enabled: false },
    ...{ agent_owner: false, slack_app: false, slack_workspace: false, slack_routes: false, secret_binding: false },
    ...{ audit_retention: false, audit_epoch: false, audit_key: false },
  };
  const eventsOfKind = (kind: string): readonly string[] =>
    eventsOf({ action: 'change.requested', payload: { kind, subject: { type: 'thing', id: 'one' } } });

  it.each(Object.entries(sent))('of the kind %s is sent: %s', (kind, expected) => {
    expect(eventsOfKind(kind)).toEqual(expected ? ['guardrail.change_requested'] : []);
  });

  it('is not sent for an unknown kind, or if its facts were erased', () => {
    expect(eventsOfKind('unheard_of')).toEqual([]);
    expect(eventsOf({ action: 'change.confirmed', payload: null })).toEqual([]);
  });
});
