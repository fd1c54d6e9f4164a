import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { MemoryRouter } from 'react-router';
import type { OverviewView } from '#lib/api-schemas';
import { keyOf } from '../api/query.js';
import { Component as OverviewPage } from './overview-page.js';

// Both need a window, which is not there when a page is rendered to text.
jest.mock('../api/attendance.js', () => ({ isAttended: () => false }));
jest.mock('./set-up-checklist.js', () => ({ SetUpChecklist: () => null, useSetUpPending: () => false }));

const page = (months: readonly string[]): string => {
  const overview: OverviewView = {
    waiting: { approvals: 0, next_expiry: null, starts: 0, unknown_effects: 0, paused_runs: 0 },
    running: { total: 0, runs: [] },
    active_halts: 0,
    incidents: { open: 0, overdue: 0 },
    approval_times: [],
    decisions: [],
    months_away: [...months],
  };
  const queries = new QueryClient();
  queries.setQueryData(keyOf('/v1/overview', { query: { days: 14 } }), overview);
  const children = createElement(MemoryRouter, null, createElement(OverviewPage));
  return renderToStaticMarkup(createElement(QueryClientProvider, { client: queries }, children));
};

it('names the months that the decisions lack, and who can bring them back', () => {
  expect(page(['2026-01', '2026-02'])).toContain(
    'The decisions of 2026-01 and 2026-02 are not in the database, so they are not counted. An operator can bring them back.',
  );
});

it('says nothing of months if none is away', () => {
  expect(page([])).toContain('Decisions');
  expect(page([])).not.toContain('in the database');
});
