import type { Json } from '#lib/canonical';
import {
  documentRefusal,
  explainIssue,
  isTimeZone,
  nearestTimeZone,
  parseYaml,
  positionOf,
  type ParsedYaml,
} from '#lib/autonomy';
import {
  automationDocumentSchema,
  MAX_AUTOMATION_BYTES,
  type AutomationDocument,
  type CronTrigger,
} from '#lib/formats';
import { err, ok, type Failure, type FieldError, type Result } from '#lib/kernel';
import { visibleText, wordsOfIssue } from '#lib/words';
import { checkOf, metricsOf, parseCondition } from '#lib/plan';
import { problemOfValue, sampleOf } from './automation-inputs.js';
import { placeholdersIn } from './fill-arguments.js';
import { problemOfSchedule } from './occurrences.js';

const MAX_ERRORS = 20;

type Refuse = (pointer: string, code: string, message: string, suggestion?: string) => void;

/**
 * Reads the YAML of an automation. Every error has its line and column.
 *
 * @param now epoch milliseconds: a schedule has to come at some time after it.
 * @returns `automation.too_large`, `automation.unreadable` (not YAML), `automation.invalid` (YAML with a mistake).
 */
export function readAutomation(source: string, now: number): Result<AutomationDocument> {
  if (Buffer.byteLength(source) > MAX_AUTOMATION_BYTES) return err(tooLarge);
  const parsed = parseYaml(source);
  if (!parsed.ok) return err(refusal(parsed.error));
  const yaml = parsed.value;
  const checked = automationDocumentSchema.safeParse(yaml.value, { error: wordsOfIssue });
  if (!checked.success) {
    const context = { area: 'automation', schema: automationDocumentSchema, value: yaml.value, yaml };
    return err(refusal(checked.error.issues.slice(0, MAX_ERRORS).flatMap((issue) => explainIssue(issue, context))));
  }
  const errors = mistakesIn(checked.data, yaml, now);
  return errors.length === 0 ? ok(checked.data) : err(refusal(errors));
}

/** Mistakes that the schema alone does not see. */
function mistakesIn(document: AutomationDocument, yaml: ParsedYaml, now: number): FieldError[] {
  const errors: FieldError[] = [];
  const refuse: Refuse = (pointer, code, message, suggestion) => {
    const meant = suggestion === undefined ? {} : { suggestion };
    errors.push({ pointer, code: `automation.${code}`, message, ...positionOf(pointer, yaml), ...meant });
  };
  checkInputs(document, refuse);
  document.triggers.forEach((trigger, index) => {
    const at = `/triggers/${String(index)}`;
    switch (trigger.type) {
      case 'cron':
        checkMapping(document, {}, at, refuse);
        checkSchedule(trigger, at, refuse, now);
        break;
      case 'event':
      case 'webhook':
        checkMapping(document, trigger.inputs, at, refuse);
        break;
      case 'endpoint':
        // The request names the inputs.
        break;
    }
  });
  const calls = new Set<string>();
  const ids = new Set<string>();
  document.steps.forEach((step, index) => {
    const at = `/steps/${String(index)}`;
    if (ids.has(step.id)) refuse(`${at}/id`, 'step_named_twice', `Another step has the id ${step.id}.`);
    ids.add(step.id);
    if (step.type === 'condition') checkCondition(step.if, calls, `${at}/if`, refuse);
    if (step.type !== 'tool_action') return;
    calls.add(step.id);
    checkPlaceholders(document, step.arguments, `${at}/arguments`, refuse);
  });
  return errors.slice(0, MAX_ERRORS);
}

function checkInputs({ inputs }: AutomationDocument, refuse: Refuse): void {
  for (const [name, declaration] of Object.entries(inputs)) {
    const at = `/inputs/${name}`;
    for (const member of ['default', 'example'] as const) {
      // Each kind of input has its own type for these members.
      const value = member in declaration ? (declaration as Readonly<Record<string, Json>>)[member] : undefined;
      const problem = value === undefined ? null : problemOfValue(declaration, value);
      if (problem !== null) refuse(`${at}/${member}`, 'wrong_input', `${problem}.`);
    }
    if (sampleOf(declaration) === undefined)
      refuse(at, 'input_without_example', 'Give it a default or an example, to check the steps with.');
  }
}

function checkSchedule(trigger: CronTrigger, at: string, refuse: Refuse, now: number): void {
  const { time_zone: zone } = trigger;
  if (!isTimeZone(zone)) {
    const message = `There is no time zone ${JSON.stringify(visibleText(zone.slice(0, 100)))}. Write one like Europe/Berlin or UTC.`;
    refuse(`${at}/time_zone`, 'unknown_time_zone', message, nearestTimeZone(zone));
    return;
  }
  const problem = problemOfSchedule(trigger, now);
  if (problem !== null) refuse(`${at}/schedule`, 'wrong_schedule', problem);
}

/** A trigger gives each input that has no default. */
function checkMapping(
  { inputs }: AutomationDocument,
  mapped: Readonly<Record<string, string>>,
  at: string,
  refuse: Refuse,
): void {
  for (const name of Object.keys(mapped))
    if (!Object.hasOwn(inputs, name))
      refuse(`${at}/inputs/${name}`, 'unknown_input', `The automation declares no input ${name}.`);
  const missing = Object.keys(inputs).filter(
    (name) => inputs[name]?.default === undefined && !Object.hasOwn(mapped, name),
  );
  if (missing.length > 0)
    refuse(at, 'missing_input', `It gives no value for ${missing.join(', ')}, and there is no default.`);
}

function checkPlaceholders({ inputs }: AutomationDocument, given: Json, at: string, refuse: Refuse): void {
  for (const { pointer, input, inSecret } of placeholdersIn(given)) {
    if (input === null)
      refuse(
        at + pointer,
        'spliced_input',
        'An input fills a whole value: write {{inputs.NAME}} alone, and never in a name.',
      );
    else if (inSecret) refuse(at + pointer, 'spliced_input', 'An input never chooses a secret.');
    else if (!Object.hasOwn(inputs, input))
      refuse(at + pointer, 'unknown_input', `The automation declares no input ${input}.`);
  }
}

function checkCondition(text: string, calls: ReadonlySet<string>, pointer: string, refuse: Refuse): void {
  const condition = parseCondition(text);
  if (!condition.ok) {
    const { position, message } = condition.error;
    refuse(pointer, 'wrong_condition', `At character ${String(position + 1)}: ${message}.`);
    return;
  }
  for (const step of new Set(metricsOf(condition.value).map(checkOf))) {
    if (!calls.has(step))
      refuse(pointer, 'unknown_step', `No earlier step with the id ${step} calls a tool, so it has no metrics.`);
  }
}

/** The reason why an automation that was accepted does nothing: this version of Countersign refuses its source. */
export const unreadable = ({ message }: Failure): { readonly code: string; readonly message: string } => ({
  code: 'automation.unreadable',
  message: `This version of Countersign cannot read the automation. ${message}`,
});

const tooLarge: Failure = {
  kind: 'too_large',
  code: 'automation.too_large',
  message: `An automation has at most ${String(MAX_AUTOMATION_BYTES)} bytes.`,
  action: 'Split it into several.',
};

const refusal = (errors: readonly FieldError[]): Failure =>
  documentRefusal('automation', 'The automation is refused.', errors);
