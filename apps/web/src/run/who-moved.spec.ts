import type { RunEventView } from '#lib/api-schemas';
import { whoMoved } from './who-moved.js';

const SAM: RunEventView['actor'] = {
  kind: 'person',
  id: 'sam',
  display_name: 'Sam',
  credential_id: null,
  on_behalf_of: null,
};
const WORKER: RunEventView['actor'] = { ...SAM, kind: 'system', id: 'run-executor', display_name: 'run-executor' };

const event = (seq: number, type: string, fields: Partial<RunEventView> = {}): RunEventView => ({
  seq,
  type,
  actor: WORKER,
  data: {},
  at: `2026-11-22T10:00:0${String(seq)}.000Z`,
  ...fields,
});

const asked = { code: 'run.pause_requested', message: 'checking the graphs' };
const paused = { state: 'paused', reason: asked } as const;

it('names the person behind a pause, its beginning and its note', () => {
  const events = [
    event(1, 'run.pause_requested', { actor: SAM, data: { note: 'an earlier one' } }),
    event(2, 'run.paused'),
    event(3, 'run.resumed', { actor: SAM }),
    event(4, 'run.pause_requested', { actor: SAM, data: { note: 'checking the graphs' } }),
    event(5, 'run.paused'),
  ];
  expect(whoMoved(paused, events)).toEqual({ actor: SAM, note: 'checking the graphs', at: events[4]?.at });
});

it('has no note if none was given', () => {
  const events = [event(1, 'run.pause_requested', { actor: SAM, data: { note: null } }), event(2, 'run.paused')];
  expect(whoMoved(paused, events)).toMatchObject({ actor: SAM, note: null });
});

it('names no person for a pause that Countersign began', () => {
  const events = [event(1, 'run.pause_requested', { actor: SAM }), event(2, 'run.paused')];
  const failed = { state: 'paused', reason: { code: 'run.step_failed', message: 'it failed' } } as const;
  expect(whoMoved(failed, events)).toMatchObject({ actor: null, note: null });
});

it('says nothing before the events are read', () => {
  expect(whoMoved(paused, [])).toBeNull();
});
