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
    ['unheard.of', null],
  ])('%s is %s', (action, event) => {
    expect(eventOf(action)).toBe(event);
  });

  it('is undecided for a new family', () => {
    expect(familyOf('unheard.of')).toBeUndefined();
    expect(familyOf('person.added')).toBe('internal');
  });
});
