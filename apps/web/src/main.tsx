import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { RouterProvider } from 'react-router/dom';
import { queryClient } from './api/query-client.js';
import { loadAnewIfKept } from './api/browser-session.js';
import { router } from './routes.js';
import { applyTheme, storedTheme } from './shell/theme.js';
import './styles.css';

applyTheme(storedTheme());
loadAnewIfKept();
const root = document.getElementById('root');
if (root === null) throw new Error('index.html holds no #root');
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
