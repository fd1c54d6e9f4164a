import { createBrowserRouter, type RouteObject } from 'react-router';
import { openLiveEvents } from './api/live-events.js';
import { NotFoundPage } from './shell/not-found-page.js';
import { PageFailed } from './shell/page-failed.js';
import { Shell } from './shell/shell.js';

/** Pages of the shell; each is a chunk of its own that exports `Component`. */
const pages: RouteObject[] = [
  { path: '/inbox', lazy: () => import('./inbox/inbox-page.js') },
  { path: '/requests', lazy: () => import('./request/requests-page.js') },
  { path: '/requests/:id', lazy: () => import('./request/request-page.js') },
  { path: '/tasks', lazy: () => import('./task/tasks-page.js') },
  { path: '/tasks/:id', lazy: () => import('./task/task-page.js') },
  { path: '/plans', lazy: () => import('./plan/plans-page.js') },
  { path: '/plans/:id', lazy: () => import('./plan/plan-page.js') },
  { path: '/runs', lazy: () => import('./run/runs-page.js') },
  { path: '/runs/:id', lazy: () => import('./run/run-page.js') },
  { path: '/sessions', lazy: () => import('./session/sessions-page.js') },
  { path: '/sessions/:id', lazy: () => import('./session/session-page.js') },
  { path: '/', lazy: () => import('./overview/overview-page.js') },
  { path: '/changes', lazy: () => import('./change/changes-page.js') },
  { path: '/changes/:id', lazy: () => import('./change/change-page.js') },
  { path: '/autonomy', lazy: () => import('./autonomy/autonomy-page.js') },
  { path: '/configuration/:part', lazy: () => import('./configuration/configuration-page.js') },
  { path: '/automations', lazy: () => import('./automation/automations-page.js') },
  { path: '/automations/new', lazy: () => import('./automation/new-automation-page.js') },
  { path: '/automations/safe-tools', lazy: () => import('./automation/safe-tools-page.js') },
  { path: '/automations/:id', lazy: () => import('./automation/automation-page.js') },
  { path: '/tools', lazy: () => import('./tool/tools-page.js') },
  { path: '/tools/:name', lazy: () => import('./tool/tool-page.js') },
  { path: '/audit', lazy: () => import('./audit/audit-page.js') },
  { path: '/audit/reports', lazy: () => import('./audit/reports-page.js') },
  { path: '/audit/verify', lazy: () => import('./audit/verify-page.js') },
  { path: '/audit/:id', lazy: () => import('./audit/entry-page.js') },
  { path: '/commands', lazy: () => import('./session/commands-page.js') },
  { path: '/halts', lazy: () => import('./halt/halts-page.js') },
  { path: '/break-glass', lazy: () => import('./break-glass/break-glass-page.js') },
  { path: '/incidents', lazy: () => import('./incident/incidents-page.js') },
  { path: '/incidents/:id', lazy: () => import('./incident/incident-page.js') },
  { path: '/people/:id', lazy: () => import('./person/person-page.js') },
  { path: '/settings', lazy: () => import('./settings/settings-page.js') },
  { path: '/settings/:section', lazy: () => import('./settings/settings-page.js') },
  { path: '/settings/webhooks/:id', lazy: () => import('./webhook/webhook-page.js') },
];

/** Shown until the first page's code is there, which is a moment. */
const Nothing = (): null => null;

/** Pages of somebody who is not signed in. */
const bare = { ErrorBoundary: PageFailed, HydrateFallback: Nothing } as const;

export const router = createBrowserRouter([
  { path: '/welcome', lazy: () => import('./welcome/welcome-page.js'), ...bare },
  { path: '/found', lazy: () => import('./welcome/found-page.js'), ...bare },
  { path: '/invitation', lazy: () => import('./welcome/invitation-page.js'), ...bare },
  {
    Component: Shell,
    // The code of the page is loaded meanwhile.
    loader: async () => {
      await openLiveEvents();
      return null;
    },
    shouldRevalidate: () => false,
    ErrorBoundary: PageFailed,
    HydrateFallback: Nothing,
    children: [
      { ErrorBoundary: PageFailed, children: pages },
      { path: '*', Component: NotFoundPage },
    ],
  },
]);
