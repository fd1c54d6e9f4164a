import { CircleHelp, Menu, Monitor, Moon, OctagonX, Search, Sun, TriangleAlert, WifiOff, X } from 'lucide-react';
import { Suspense, useCallback, useEffect, useRef, useState } from 'react';
import { Navigate, NavLink, Outlet, ScrollRestoration, useLocation, type Location } from 'react-router';
import { useAnnounced } from '../api/announce.js';
import { useConnection, useLiveEvents } from '../api/live-events.js';
import { useNotRead } from '../api/not-read.js';
import {
  followSignOut,
  useBrowserSession,
  useBrowserSessionEnded,
  welcomePath,
  type BrowserSession,
} from '../api/browser-session.js';
import { Button } from '../components/button.js';
import { ErrorNote } from '../components/error-note.js';
import { TITLE_ID } from '../components/page.js';
import { SkeletonRows } from '../components/skeleton.js';
import { HaltBanner } from '../halt/halt-banner.js';
import { HaltDialog } from '../halt/halt-dialog.js';
import { IncidentBanner } from '../incident/incident-banner.js';
import { useWaiting } from '../inbox/use-waiting.js';
import { GoToDialog } from './go-to-dialog.js';
import { HelpDialog } from './help-dialog.js';
import { IconButton } from './icon-button.js';
import { BOTTOM, GROUPS, SETTINGS, type NavigationItem } from './navigation.js';
import { ReasonDialog } from './reason-dialog.js';
import { SignOutButton } from './sign-out-button.js';
import { SignedOutDialog } from './signed-out-dialog.js';
import { applyTheme, nextTheme, storedTheme } from './theme.js';
import { useArrival } from './use-arrival.js';
import { useShortcuts } from './use-shortcuts.js';

/** The frame of every page: navigation, halts in force, and the way to halt. It sends a visitor without a browser session to sign in. */
export function Shell() {
  useLiveEvents();
  const browserSession = useBrowserSession();
  const { pathname, search } = useLocation();
  if (browserSession.data === undefined) {
    // A page that is open stays open, with its drafts, while the API is away.
    if (browserSession.error === null) {
      return (
        <div aria-busy className="grid min-h-dvh place-items-center">
          <p role="status" className="animate-[late_0s_500ms_backwards] text-muted">
            Loading…
          </p>
        </div>
      );
    }
    return (
      <main className="mx-auto flex max-w-xl flex-col gap-4 p-6">
        <h1 className="text-xl font-semibold">Countersign</h1>
        <ErrorNote error={browserSession.error} retry={() => void browserSession.refetch()} />
      </main>
    );
  }
  if (browserSession.data === null) return <Navigate to={welcomePath(pathname + search)} replace />;
  return <SignedIn browserSession={browserSession.data} />;
}

/** Pages that were loaded share a key: each has a position of its own, by its address. */
const positionKey = ({ key, pathname, search }: Location): string => (key === 'default' ? pathname + search : key);

type Open = 'halt' | 'help' | 'go-to' | null;

function SignedIn({ browserSession }: { readonly browserSession: BrowserSession }) {
  const ended = useBrowserSessionEnded();
  useEffect(followSignOut, []);
  const [open, setOpen] = useState<Open>(null);
  const close = useCallback(() => {
    setOpen(null);
  }, []);
  const onHelp = useCallback(() => {
    setOpen('help');
  }, []);
  const onGoTo = useCallback(() => {
    setOpen('go-to');
  }, []);
  const onHalt = useCallback(() => {
    setOpen('halt');
  }, []);
  useShortcuts({ onHelp, onGoTo, onHalt });
  const content = useRef<HTMLElement>(null);
  useArrival(content);
  return (
    <div className="md:grid md:grid-cols-[15rem_minmax(0,1fr)]">
      <a
        href="#content"
        className="sr-only z-50 rounded-lg bg-accent px-4 py-2 text-accent-ink focus:not-sr-only focus:fixed focus:top-3 focus:left-3"
      >
        Skip to content
      </a>
      <Sidebar browserSession={browserSession} onHelp={onHelp} onGoTo={onGoTo} onHalt={onHalt} />
      <div className="flex min-h-dvh min-w-0 flex-col pb-20 short:pb-0 md:pb-0">
        <TopBar browserSession={browserSession} onHalt={onHalt} onGoTo={onGoTo} />
        <div className="print:hidden">
          <HaltBanner />
          <IncidentBanner />
        </div>
        <main ref={content} id="content" tabIndex={-1} aria-labelledby={TITLE_ID} className="flex-1 outline-none">
          <Suspense fallback={<SkeletonRows />}>
            <Outlet />
          </Suspense>
        </main>
      </div>
      <BottomBar />
      <Connection />
      <Announced />
      {ended && <SignedOutDialog browserSession={browserSession} />}
      {open === 'halt' && <HaltDialog onClose={close} />}
      {open === 'help' && <HelpDialog onClose={close} />}
      {open === 'go-to' && <GoToDialog onClose={close} onAct={setOpen} />}
      <ReasonDialog />
      <ScrollRestoration getKey={positionKey} />
    </div>
  );
}

const Brand = () => (
  <span className="flex items-center gap-2 font-semibold tracking-tight">
    <img src="/favicon.svg" alt="" width={24} height={24} />
    <span className="max-[22rem]:sr-only">Countersign</span>
  </span>
);

function NavigationLink({
  item,
  count,
  onClick,
}: {
  readonly item: NavigationItem;
  readonly count?: string;
  readonly onClick?: () => void;
}) {
  const Icon = item.icon;
  const link = useRef<HTMLAnchorElement>(null);
  const { pathname } = useLocation();
  // A low window shows part of the list: the page that is open stays in sight.
  useEffect(() => {
    if (link.current?.ariaCurrent === 'page') link.current.scrollIntoView({ block: 'nearest' });
  }, [pathname]);
  return (
    <NavLink
      ref={link}
      to={item.path}
      end={item.path === '/'}
      onClick={onClick}
      className={({ isActive }) =>
        `flex h-9 items-center gap-2.5 rounded-lg px-2.5 text-sm md:h-8 ${isActive ? 'bg-accent-soft font-semibold text-accent' : 'text-muted hover:bg-sunken hover:text-ink'}`
      }
    >
      <Icon aria-hidden className="size-4.5" />
      {item.name}
      {count !== undefined && count !== '' && (
        <span className="ml-auto rounded-full bg-accent px-1.5 text-xs font-semibold text-accent-ink">
          {count}
          <span className="sr-only"> waiting for you</span>
        </span>
      )}
    </NavLink>
  );
}

function NavigationList({ onClick }: { readonly onClick?: () => void }) {
  const waiting = useWaiting();
  return (
    <nav aria-label="Main" className="flex flex-col gap-3 md:gap-2">
      {GROUPS.map(({ name, items }) => (
        <div key={name} className="flex flex-col gap-px">
          <p className="px-2.5 pb-1 text-xs font-medium text-muted">{name}</p>
          {items.map((item) => (
            <NavigationLink
              key={item.path}
              item={item}
              {...(onClick === undefined ? {} : { onClick })}
              {...(item.path === '/inbox' ? { count: waiting } : {})}
            />
          ))}
        </div>
      ))}
      <NavigationLink item={SETTINGS} {...(onClick === undefined ? {} : { onClick })} />
    </nav>
  );
}

interface SidebarProps {
  readonly browserSession: BrowserSession;
  readonly onHelp: () => void;
  readonly onGoTo: () => void;
  readonly onHalt: () => void;
}

function Sidebar({ browserSession, onHelp, onGoTo, onHalt }: SidebarProps) {
  return (
    // The list of pages scrolls alone, so that the way to halt stays in sight. A low screen has no room for that.
    <aside className="sticky top-0 hidden print:hidden! h-dvh flex-col border-r border-line bg-surface px-3 py-4 short:overflow-y-auto md:flex">
      <div className="shrink-0 px-2.5 pb-4">
        <Brand />
        <p className="mt-1 truncate text-sm text-muted">{browserSession.tenant.name}</p>
      </div>
      <button
        type="button"
        onClick={onGoTo}
        className="flex h-9 shrink-0 items-center gap-2 rounded-lg border border-line-strong px-2.5 text-sm text-muted hover:bg-sunken"
      >
        <Search aria-hidden className="size-4" /> Go to…
        <kbd className="ml-auto font-mono text-xs">/</kbd>
      </button>
      <div className="-mx-3 min-h-0 flex-1 overflow-y-auto px-3 py-3 short:flex-none short:overflow-visible">
        <NavigationList />
      </div>
      <div className="-mx-3 flex shrink-0 flex-col border-t border-line px-3 pt-3">
        <Button look="danger-outline" onClick={onHalt}>
          <OctagonX aria-hidden className="size-4" /> Halt…
        </Button>
        <div className="mt-2 flex items-center">
          <div className="min-w-0 flex-1 pl-1.5">
            <p className="truncate text-sm font-medium">{browserSession.person.display_name}</p>
            <p className="truncate text-xs text-muted" title={browserSession.person.roles.join(', ')}>
              {browserSession.person.roles.join(', ') || 'no role'}
            </p>
          </div>
          <ThemeButton />
          <IconButton label="Keys" onClick={onHelp}>
            <CircleHelp aria-hidden className="size-4.5" />
          </IconButton>
          <SignOutButton />
        </div>
      </div>
    </aside>
  );
}

const THEME_ICONS = { system: Monitor, light: Sun, dark: Moon } as const;

function ThemeButton() {
  const [theme, setTheme] = useState(storedTheme);
  const Icon = THEME_ICONS[theme];
  return (
    <IconButton
      label={`Colours: ${theme}. Change`}
      onClick={() => {
        const next = nextTheme(theme);
        applyTheme(next);
        setTheme(next);
      }}
    >
      <Icon aria-hidden className="size-4.5" />
    </IconButton>
  );
}

/** Says above every page, on a phone too, that it may be out of date or lacks a part. */
function Connection() {
  const lost = useConnection() === 'lost';
  const notRead = useNotRead();
  return (
    <div
      role="status"
      className="pointer-events-none fixed inset-x-0 bottom-18 z-30 flex flex-col items-center gap-2 px-4 md:bottom-4 md:left-60 print:hidden"
    >
      {lost && (
        <p className="flex items-center gap-2 rounded-lg border border-warn/40 bg-warn-soft px-3 py-2 text-sm shadow-lg">
          <WifiOff aria-hidden className="size-4 shrink-0 text-warn" />
          Not live; connecting again. This page may be out of date.
        </p>
      )}
      {notRead.isThere && (
        <div className="pointer-events-auto flex items-center gap-2 rounded-lg border border-warn/40 bg-warn-soft px-3 py-2 text-sm shadow-lg">
          <TriangleAlert aria-hidden className="size-4 shrink-0 text-warn" />
          <p>A part of this page could not be read, and is missing.</p>
          <Button size="sm" onClick={notRead.again}>
            Read it again
          </Button>
        </div>
      )}
    </div>
  );
}

/** Reads the result of an action aloud; the page shows it by itself. */
function Announced() {
  const said = useAnnounced();
  return (
    <p role="status" className="sr-only">
      {said}
    </p>
  );
}

function TopBar({ browserSession, onHalt, onGoTo }: Omit<SidebarProps, 'onHelp'>) {
  const [menu, setMenu] = useState(false);
  return (
    <header
      onKeyDown={({ key }) => {
        if (key === 'Escape') setMenu(false);
      }}
      className="sticky top-0 z-20 border-b border-line bg-surface short:static md:hidden print:hidden"
    >
      <div className="flex h-14 items-center gap-1 px-4">
        <Brand />
        <span className="flex-1" />
        <IconButton label="Go to" onClick={onGoTo}>
          <Search aria-hidden className="size-5" />
        </IconButton>
        <Button look="danger-outline" size="sm" onClick={onHalt}>
          <OctagonX aria-hidden className="size-4" /> Halt
        </Button>
        <IconButton
          label="Menu"
          expanded={menu}
          onClick={() => {
            setMenu(!menu);
          }}
        >
          {menu ? <X aria-hidden className="size-5" /> : <Menu aria-hidden className="size-5" />}
        </IconButton>
      </div>
      {menu && (
        <div className="flex max-h-[calc(100dvh-3.5rem)] flex-col gap-4 overflow-y-auto border-t border-line p-3">
          <NavigationList
            onClick={() => {
              setMenu(false);
            }}
          />
          <div className="flex items-center gap-2 border-t border-line pt-3">
            <p className="min-w-0 flex-1 truncate px-2.5 text-sm">
              {browserSession.person.display_name}, {browserSession.tenant.name}
            </p>
            <ThemeButton />
            <SignOutButton />
          </div>
        </div>
      )}
    </header>
  );
}

function BottomBar() {
  const waiting = useWaiting();
  return (
    <nav
      aria-label="Most used"
      className="fixed inset-x-0 bottom-0 z-20 grid grid-cols-3 border-t border-line bg-surface pb-[env(safe-area-inset-bottom)] short:static md:hidden print:hidden"
    >
      {BOTTOM.map(({ path, name, icon: Icon }) => (
        <NavLink
          key={path}
          to={path}
          className={({ isActive }) =>
            `flex h-15 flex-col items-center justify-center gap-0.5 text-xs ${isActive ? 'font-semibold text-accent' : 'text-muted'}`
          }
        >
          <span className="relative">
            <Icon aria-hidden className="size-5" />
            {path === '/inbox' && waiting !== '' && (
              <span className="absolute -top-1.5 left-3 rounded-full bg-accent px-1.5 text-[0.6875rem] leading-4 font-semibold text-accent-ink">
                {waiting}
              </span>
            )}
          </span>
          {name}
        </NavLink>
      ))}
    </nav>
  );
}
