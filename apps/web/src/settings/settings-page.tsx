import { UserCog } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { Link, Navigate, NavLink, useParams } from 'react-router';
import { useBarredFromAdministering } from '../api/roles.js';
import { useSignedIn } from '../api/browser-session.js';
import { Empty } from '../components/empty.js';
import { Page } from '../components/page.js';
import { SkeletonRows } from '../components/skeleton.js';
import { NotFoundPage } from '../shell/not-found-page.js';

interface Section {
  readonly path: string;
  readonly name: string;
  /** Whether it is about the reader alone. */
  readonly own: boolean;
  readonly admin: boolean;
  readonly Content: React.ComponentType;
}

const SECTIONS: readonly Section[] = [
  {
    path: 'factors',
    name: 'Second factors',
    own: true,
    admin: false,
    Content: lazy(() => import('./factors-section.js')),
  },
  {
    path: 'browser-sessions',
    name: 'Browser sessions',
    own: true,
    admin: false,
    Content: lazy(() => import('./browser-sessions-section.js')),
  },
  { path: 'tokens', name: 'Tokens', own: true, admin: false, Content: lazy(() => import('./tokens-section.js')) },
  {
    path: 'people',
    name: 'People and roles',
    own: false,
    admin: false,
    Content: lazy(() => import('./people-section.js')),
  },
  { path: 'absences', name: 'Absences', own: true, admin: false, Content: lazy(() => import('./absences-section.js')) },
  { path: 'agents', name: 'Agents', own: false, admin: false, Content: lazy(() => import('./agents-section.js')) },
  {
    path: 'environments',
    name: 'Environments',
    own: false,
    admin: false,
    Content: lazy(() => import('./environments-section.js')),
  },
  {
    path: 'secrets',
    name: 'Secrets',
    own: false,
    admin: false,
    Content: lazy(() => import('./secrets-section.js')),
  },
  { path: 'slack', name: 'Slack', own: false, admin: false, Content: lazy(() => import('./slack-section.js')) },
  {
    path: 'notifications',
    name: 'Notifications',
    own: true,
    admin: false,
    Content: lazy(() => import('./notifications-section.js')),
  },
  {
    path: 'incidents',
    name: 'Incidents',
    own: false,
    admin: true,
    Content: lazy(() => import('./incidents-section.js')),
  },
  {
    path: 'webhooks',
    name: 'Webhooks',
    own: false,
    admin: true,
    Content: lazy(() => import('./webhooks-section.js')),
  },
  {
    path: 'embedder',
    name: 'Embedder',
    own: false,
    admin: true,
    Content: lazy(() => import('./embedder-section.js')),
  },
  { path: 'siem', name: 'SIEM', own: false, admin: true, Content: lazy(() => import('./siem-section.js')) },
  {
    path: 'hooks',
    name: 'Lifecycle hooks',
    own: false,
    admin: true,
    Content: lazy(() => import('./hooks-section.js')),
  },
  { path: 'sign-in', name: 'Sign-in', own: false, admin: true, Content: lazy(() => import('./sign-in-section.js')) },
];

/** The settings: one's own factors, browser sessions and tokens, and those of the tenant. */
export function Component() {
  const { section } = useParams();
  const { person, tenant } = useSignedIn();
  const barred = useBarredFromAdministering('changes this');
  const admin = barred === null;
  const sections = SECTIONS.filter((each) => admin || !each.admin);
  if (section === undefined) return <Navigate to="/settings/factors" replace />;
  const current = SECTIONS.find(({ path }) => path === section);
  if (current === undefined) return <NotFoundPage />;
  const { Content, name: title } = current;
  return (
    <Page title="Settings" tab={`${title} · Settings`} meta={`${person.display_name} in ${tenant.name}`}>
      <div className="grid gap-6 grid-cols-1 lg:grid-cols-[12rem_minmax(0,1fr)]">
        <nav aria-label="Settings" className="flex flex-col gap-4 print:hidden">
          {([true, false] as const).map((own) => (
            <div key={String(own)} className="flex flex-wrap gap-1 lg:flex-col">
              <p className="w-full px-3 text-xs font-medium text-muted">{own ? 'Yours' : 'Organisation'}</p>
              {sections
                .filter((each) => each.own === own)
                .map(({ path, name }) => (
                  <NavLink
                    key={path}
                    to={`/settings/${path}`}
                    className={({ isActive }) =>
                      `rounded-lg px-3 py-1.5 text-sm ${isActive ? 'bg-accent-soft font-semibold text-accent' : 'text-muted hover:bg-sunken hover:text-ink'}`
                    }
                  >
                    {name}
                  </NavLink>
                ))}
            </div>
          ))}
        </nav>
        <div className="flex min-w-0 flex-col gap-4">
          {current.admin && !admin ? (
            <Empty icon={<UserCog aria-hidden />} title={`Only a PlatformAdmin sees “${title}”`}>
              These settings hold for everybody.{' '}
              <Link to="/settings/people" className="text-accent underline">
                People and roles
              </Link>{' '}
              lists the PlatformAdmins.
            </Empty>
          ) : (
            <Suspense fallback={<SkeletonRows rows={4} />}>
              {!current.own && barred !== null && <p className="text-sm text-muted">{barred}</p>}
              <Content />
            </Suspense>
          )}
        </div>
      </div>
    </Page>
  );
}
