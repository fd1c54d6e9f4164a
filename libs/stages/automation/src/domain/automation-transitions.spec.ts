import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AUTOMATION_RUN_STATES, AUTOMATION_STATES, AUTOMATION_STEP_STATES } from '#lib/formats';
import {
  AUTOMATION_RUN_TRANSITIONS,
  AUTOMATION_STEP_TRANSITIONS,
  AUTOMATION_TRANSITIONS,
} from './automation-transitions.js';

const migration = readFileSync(join(__dirname, '../../../../../migrations/0155_automation.sql'), 'utf8');

/** The rows that the migration inserts into a table. */
const inserted = (table: string): string[][] => {
  const [, rows = ''] = new RegExp(`insert into ${table} values([^;]+);`).exec(migration) ?? [];
  return [...rows.matchAll(/\(([^)]*)\)/g)].map(([, row = '']) => row.split(', ').map((cell) => cell.slice(1, -1)));
};

it.each([
  ['automation', AUTOMATION_TRANSITIONS, AUTOMATION_STATES],
  ['automation_run', AUTOMATION_RUN_TRANSITIONS, AUTOMATION_RUN_STATES],
  ['automation_step_run', AUTOMATION_STEP_TRANSITIONS, AUTOMATION_STEP_STATES],
])('the lifecycle of %s is the one that the database enforces', (table, transitions, states) => {
  expect(inserted(`${table}_transition`)).toEqual(transitions.map(({ from, event, to }) => [from, event, to]));
  expect(inserted(`${table}_state`).flat()).toEqual(states);
});
