import { stripVTControlCharacters } from 'node:util';
import { CountersignError } from '#lib/sdk';
import { explainError } from './explain-error.js';

const linesFor = (suggestion: string): readonly string[] =>
  explainError(
    new CountersignError({
      type: 'urn:countersign:problem:plan.invalid',
      title: 'The document is not valid',
      status: 422,
      detail: 'The plan cannot be executed as it stands.',
      code: 'plan.invalid',
      instance: 'urn:countersign:request:1',
      errors: [{ pointer: '/a', code: 'a.b', message: 'No.', suggestion }],
    }),
  ).lines.map(stripVTControlCharacters);

describe('the suggestion of an error', () => {
  it('becomes a question if it is one word', () => {
    expect(linesFor('execute_rollout_prod')).toContain('  - /a: No. Did you mean execute_rollout_prod?');
  });

  it('stays as it is if it is a sentence', () => {
    expect(linesFor('Add a health check named "web".')).toContain('  - /a: No. Add a health check named "web".');
  });
});

it.each(['EACCES', 'ENOTDIR'])('%s of a data folder is explained with the variable that names the folder', (code) => {
  const { exitCode, lines } = explainError(
    Object.assign(new Error(`${code}: no, mkdir '/var/lib/cs'`), { code, path: '/var/lib/cs' }),
  );
  expect(exitCode).toBe(4);
  expect(lines.map(stripVTControlCharacters)).toEqual([
    `error: /var/lib/cs cannot be read or written (${code}). (start.data_refused)`,
    expect.stringContaining('COUNTERSIGN_DATA names it'),
  ]);
});
