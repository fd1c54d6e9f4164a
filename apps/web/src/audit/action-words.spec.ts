import { actionInWords } from './action-words.js';

it.each([
  ['halt.lifted', 'Halt lifted'],
  ['approval_request.voided', 'Request voided'],
  ['approval_request.not_required', 'No approval required'],
  ['run.roll_back_requested', 'Run roll back requested'],
  ['automation.enabled', 'Automation enabled'],
  ['automation_run.failed', 'Run of an automation failed'],
  ['automation_run.step_blocked', 'Step of an automation blocked'],
  ['webhook.switched_off', 'Webhook switched off'],
  ['something.new', 'Something new'],
  ['odd', 'Odd'],
  ['constructor', 'Constructor'],
  ['constructor.called', 'Constructor called'],
])('says %s as "%s"', (action, words) => {
  expect(actionInWords(action)).toBe(words);
});
