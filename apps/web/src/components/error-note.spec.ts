import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { ApiError } from '../api/api-error.js';
import { ErrorNote } from './error-note.js';

// It needs a window, which is not there when a page is rendered to text.
jest.mock('../api/attendance.js', () => ({ isAttended: () => false }));

const shown = (error: unknown): string =>
  renderToStaticMarkup(
    createElement(QueryClientProvider, { client: new QueryClient() }, createElement(ErrorNote, { error })),
  );

const refusal = (code: string): ApiError =>
  new ApiError({
    ...{ type: `urn:countersign:problem:${code}`, title: 'Refused', status: 401, code, instance: '' },
    ...{ detail: 'The words of the API.', action: 'Its action.' },
  });

const KEPT = 'Sign in again; what you typed on this page is kept.';

it.each([
  ['credential.missing', 'You were signed out.'],
  ['credential.revoked', 'You were signed out.'],
  ['credential.expired', 'You were signed out.'],
  ['credential.ended', 'The words of the API.'],
  ['browser_session.idle', 'The words of the API.'],
])('%s says that the text on the page is kept', (code, detail) => {
  const note = shown(refusal(code));
  expect(note).toContain(`>${detail}<`);
  expect(note).toContain(`>${KEPT}<`);
  expect(note).not.toContain('Its action.');
});

it.each([
  ['another refusal', refusal('approval.expired'), 'The words of the API.', 'Its action.'],
  ['a page that failed', new Error('undefined is not a function'), 'This page failed.', 'Reload it.'],
])('%s has words of its own', (_which, error, detail, action) => {
  const note = shown(error);
  expect(note).toContain(`>${detail}<`);
  expect(note).toContain(`>${action}`);
  expect(note).not.toContain(KEPT);
});

it.each([
  ['the same refusal at a member', '/until', 'refused.dates', 'It ends too late.', false, false],
  ['the same refusal deeper in the document', '/steps/0', 'refused.dates', 'It ends too late.', true, false],
  ['another refusal in the same words', '/until', 'field.too_big', 'It ends too late.', true, true],
  ['words that the detail happens to hold', '/until', 'field.too_big', 'too late', true, true],
  ['more words on the same refusal', '/until', 'refused.dates', 'At most 90 days.', true, true],
])(
  'of %s it shows the pointer and the message if they are news',
  (_which, pointer, code, message, hasPointer, hasMessage) => {
    const { problem } = refusal('refused.dates');
    const detail = 'It ends too late.';
    const note = shown(new ApiError({ ...problem, detail, errors: [{ pointer, code, message }] }));
    const above = `>${detail}<`;
    expect(note).toContain(above);
    const below = note.slice(note.indexOf(above) + above.length);
    expect([below.includes(pointer), below.includes(message)]).toEqual([hasPointer, hasMessage]);
  },
);

it('of a document it says the line of each error, and no message twice', () => {
  const { problem } = refusal('lifecycle_hook.invalid');
  const message = 'names no event';
  const errors = [{ pointer: '/hooks/0/on', code: 'lifecycle_hook.event', message, line: 3 }];
  const note = shown(new ApiError({ ...problem, detail: `The hooks are refused. Line 3: ${message}`, errors }));
  expect(note).toContain('>The hooks are refused.<');
  expect(note).toContain('Line 3, ');
  expect(note.split(message)).toHaveLength(2);
});
