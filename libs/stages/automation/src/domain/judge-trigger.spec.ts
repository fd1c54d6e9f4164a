import { automationDocumentSchema } from '#lib/formats';
import { inputsFrom, matches, waitsFor } from './judge-trigger.js';

const body = { event: 'run.failed', data: { facts: { tool: 'restart', attempt: 2, hosts: ['web-01', 'web-02'] } } };

it.each([
  ['run.failed', 'run.failed', true],
  ['run.*', 'run.step_failed', true],
  ['run.failed', 'run.failed_again', false],
  ['run.*', 'runner.added', false],
])('a trigger at %s waits for %s: %s', (event, happened, waits) => {
  expect(waitsFor({ event }, happened)).toBe(waits);
});

it.each<[string, Record<string, string | number | (string | number)[]>, boolean]>([
  ['nothing', {}, true],
  ['a text', { 'data.facts.tool': 'restart' }, true],
  ['another text', { 'data.facts.tool': 'stop' }, false],
  ['one of a list', { 'data.facts.attempt': [1, 2] }, true],
  ['none of a list', { 'data.facts.attempt': [1, 3] }, false],
  ['a number as text', { 'data.facts.attempt': '2' }, false],
  ['a member of a list', { 'data.facts.hosts.1': 'web-02' }, true],
  ['a whole object', { 'data.facts': 'restart' }, false],
  ['a path that there is not', { 'data.none.tool': 'restart' }, false],
  ['the length of a list', { 'data.facts.hosts.length': 2 }, false],
  ['one of two', { 'data.facts.tool': 'restart', event: 'run.paused' }, false],
])('the filter on %s', (_what, match, met) => {
  expect(matches({ match }, body)).toBe(met);
});

it('T33: a body gives the mapped inputs, and nothing of the prototype', () => {
  const declared = automationDocumentSchema.shape.inputs.parse({
    host: { type: 'string', example: 'web' },
    attempt: { type: 'number', minimum: 1, maximum: 9, default: 1 },
  });
  const from = (inputs: Record<string, string>) => inputsFrom(declared, { inputs }, body);
  expect(from({ host: 'data.facts.hosts.0', attempt: 'data.facts.attempt' })).toEqual({
    ok: true,
    value: { host: 'web-01', attempt: 2 },
  });
  expect(from({ host: 'data.facts.tool', attempt: 'data.facts.none' })).toMatchObject({ value: { attempt: 1 } });
  expect(from({ host: 'data.facts' })).toMatchObject({ ok: false, error: [{ input: 'host' }] });
  expect(from({ host: '__proto__' })).toMatchObject({ ok: false, error: [{ input: 'host' }] });
  expect(from({ host: 'constructor.name' })).toMatchObject({ ok: false, error: [{ input: 'host' }] });
});
