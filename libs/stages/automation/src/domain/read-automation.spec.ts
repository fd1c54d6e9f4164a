import { readAutomation } from './read-automation.js';

const STEPS = `steps:
  - id: look
    type: tool_action
    tool: check_web
    arguments: { service: web }
  - id: sick
    type: condition
    if: look.unhealthy > 0
  - id: tell
    type: notify
    message: The service was restarted.
`;
const TRIGGERS = `triggers:
  - type: cron
    schedule: "*/15 * * * *"
    time_zone: Europe/Berlin
`;
const HEAD = `name: restart-web
environment: staging
`;

const read = (source: string) => readAutomation(source, 0);
/** Code, line and column of each error. */
const errorsOf = (source: string): string[] => {
  const refused = read(source);
  if (refused.ok) throw new Error('it was read');
  return (refused.error.errors ?? []).map(({ code, line, column }) => `${code} ${String(line)}:${String(column)}`);
};

it('an automation is read with its defaults', () => {
  expect(read(HEAD + TRIGGERS + STEPS)).toMatchObject({
    ok: true,
    value: {
      name: 'restart-web',
      triggers: [{ missed: 'skip' }],
      overlap: 'skip',
      on_blocked: 'fail',
      pause_after: 3,
      steps: [{ type: 'tool_action' }, { type: 'condition' }, { type: 'notify' }],
    },
  });
});

it.each([
  ['an unknown key', `${HEAD}overlapp: queue\n${TRIGGERS}${STEPS}`, ['automation.unknown_key 3:1']],
  [
    'an unknown key of a step',
    HEAD + TRIGGERS + STEPS.replace('    message:', '    mesage:'),
    ['automation.missing_key 15:5', 'automation.unknown_key 17:5'],
  ],
  ['a type that there is not', HEAD + TRIGGERS + STEPS.replace('notify', 'approve'), ['automation.wrong_value 16:11']],
  ['no steps', `${HEAD}${TRIGGERS}steps: []\n`, ['automation.out_of_range 7:8']],
  [
    'a time zone that there is not',
    HEAD + TRIGGERS.replace('Berlin', 'Bonn') + STEPS,
    ['automation.unknown_time_zone 6:16'],
  ],
  [
    'a schedule that never comes',
    HEAD + TRIGGERS.replace('*/15 * * * *', '0 0 31 2 *') + STEPS,
    ['automation.wrong_schedule 5:15'],
  ],
  ['a step named twice', HEAD + TRIGGERS + STEPS.replace('id: tell', 'id: look'), ['automation.step_named_twice 15:9']],
  [
    'a condition that is none',
    HEAD + TRIGGERS + STEPS.replace('unhealthy > 0', 'unhealthy >'),
    ['automation.wrong_condition 14:9'],
  ],
  [
    'a condition on a step that calls nothing before it',
    HEAD + TRIGGERS + STEPS.replace('look.', 'tell.'),
    ['automation.unknown_step 14:9'],
  ],
  ['a key twice', `${HEAD}name: other\n${TRIGGERS}${STEPS}`, ['yaml.duplicate_key 3:1']],
])('%s is refused with its line', (_what, source, errors) => {
  expect(errorsOf(source)).toEqual(errors);
});

it('a text beyond 64 KiB is refused unread', () => {
  expect(read(`${HEAD}#${'x'.repeat(65_536)}`)).toMatchObject({ error: { code: 'automation.too_large' } });
});
