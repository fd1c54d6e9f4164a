import { createBrowserRouter, type RouteObject } from 'react-router';
import { NotFoundPage } from './shell/not-found-page.js';
import { PageFailed } from './shell/page-failed.js';
import { Shell } from './shell/shell.js';

/** Pages of the shell; each is a chunk of its own that exports `Component`. */
const pages: RouteObject[] = [
  { path: '/inbox', lazy: () => import('./inbox/inbox-page.js') },
  { path: '/requests/:id', lazy: () => import('./request/request-page.js') },
];

export const router = createBrowserRouter([
  { path: '/welcome', lazy: () => import('./welcome/welcome-page.js'), ErrorBoundary: PageFailed },
  {
    Component: Shell,
    ErrorBoundary: PageFailed,
    HydrateFallback: () => null,
    children: [
      { ErrorBoundary: PageFailed, children: pages },
      { path: '*', Component: NotFoundPage },
    ],
  },
]);
