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
