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

const INPUTS = `inputs:
  service: { type: string, example: web }
  count: { type: number, minimum: 1, maximum: 3 }
`;
const EVENT = `triggers:
  - type: event
    event: run.failed
    match: { data.facts.tool: restart }
    inputs: { service: data.facts.service, count: data.facts.count }
  - { type: endpoint }
`;
const FILLED = STEPS.replace('service: web', 'service: "{{inputs.service}}"');

it('an automation that waits for events is read', () => {
  expect(read(HEAD + INPUTS + EVENT + FILLED)).toMatchObject({
    ok: true,
    value: { inputs: { service: { max_length: 200 } }, triggers: [{ type: 'event' }, { type: 'endpoint' }] },
  });
});

it('a misspelt time zone is refused with the one that was meant', () => {
  expect(read(HEAD + TRIGGERS.replace('Berlin', 'Berlinn') + STEPS)).toMatchObject({
    error: { errors: [{ code: 'automation.unknown_time_zone', suggestion: 'Europe/Berlin' }] },
  });
});

it.each([
  ['time zone', 'Europe/Berlin', '/triggers/0/time_zone'],
  ['minute', '*/15', '/triggers/0/schedule'],
])('the author’s %s stands inert in its refusal', (what, text, pointer) => {
  expect(read(HEAD + TRIGGERS.replace(text, '\u202Ex') + STEPS)).toMatchObject({
    error: { errors: [{ pointer, message: expect.stringContaining(`${what} "⟦U+202E⟧x"`) }] },
  });
});

it.each([
  ['a placeholder in a text', FILLED.replace('"{{', '"x {{'), ['automation.spliced_input 16:27']],
  ['a placeholder in a name', FILLED.replace('service:', '"{{inputs.service}}":'), ['automation.spliced_input 16:40']],
  [
    'a placeholder that chooses a secret',
    FILLED.replace('{ service: "{{inputs.service}}" }', '{ key: { $secret: "{{inputs.service}}" } }'),
    ['automation.spliced_input 16:34'],
  ],
  [
    'a placeholder of an unknown input',
    FILLED.replace('inputs.service', 'inputs.host'),
    ['automation.unknown_input 16:27'],
  ],
  ['a placeholder as a tool', FILLED.replace('check_web', '"{{inputs.service}}"'), ['automation.wrong_value 15:11']],
])('T33: %s is refused', (_what, steps, errors) => {
  expect(errorsOf(HEAD + INPUTS + EVENT + steps)).toEqual(errors);
});

it.each([
  ['an input that a trigger does not give', EVENT.replace(', count: data.facts.count', ''), 'missing_input 7:5'],
  ['an input that a schedule does not give', TRIGGERS, 'missing_input 7:5'],
  ['a mapping to an unknown input', EVENT.replace('count:', 'size:'), 'unknown_input 10:50'],
  ['an event that is none', EVENT.replace('run.failed', 'Run failed'), 'wrong_value 8:12'],
])('%s is refused', (_what, triggers, error) => {
  expect(errorsOf(HEAD + INPUTS + triggers + FILLED)).toContain(`automation.${error}`);
});

it.each([
  ['a text without an example', INPUTS.replace(', example: web', ''), ['automation.input_without_example 4:12']],
  ['a default out of bounds', INPUTS.replace('maximum: 3', 'maximum: 3, default: 4'), ['automation.wrong_input 5:59']],
])('%s is refused', (_what, inputs, errors) => {
  expect(errorsOf(HEAD + inputs + EVENT + FILLED)).toEqual(errors);
});

it('a text beyond 64 KiB is refused unread', () => {
  expect(read(`${HEAD}#${'x'.repeat(65_536)}`)).toMatchObject({ error: { code: 'automation.too_large' } });
});
