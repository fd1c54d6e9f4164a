import {
  Bot,
  CalendarClock,
  ClipboardCheck,
  FileSearch,
  Inbox,
  LayoutDashboard,
  ListChecks,
  ListTree,
  OctagonX,
  Play,
  Settings,
  ShieldAlert,
  Siren,
  SlidersHorizontal,
  SquareTerminal,
  UsersRound,
  Wrench,
  type LucideIcon,
} from 'lucide-react';

export interface NavigationItem {
  readonly path: string;
  readonly name: string;
  readonly icon: LucideIcon;
  /** The second key of `g …`. */
  readonly key: string;
}

export interface NavigationGroup {
  readonly name: string;
  readonly items: readonly NavigationItem[];
}

const INBOX: NavigationItem = { path: '/inbox', name: 'Inbox', icon: Inbox, key: 'i' };
const TASKS: NavigationItem = { path: '/tasks', name: 'Tasks', icon: ListChecks, key: 't' };
const RUNS: NavigationItem = { path: '/runs', name: 'Runs', icon: Play, key: 'r' };

/** The pages, in the order of the sidebar. */
export const GROUPS: readonly NavigationGroup[] = [
  {
    name: 'Work',
    items: [
      { path: '/', name: 'Overview', icon: LayoutDashboard, key: 'o' },
      INBOX,
      { path: '/requests', name: 'Requests', icon: ClipboardCheck, key: 'q' },
      TASKS,
      { path: '/plans', name: 'Plans', icon: ListTree, key: 'p' },
      RUNS,
      { path: '/sessions', name: 'Sessions', icon: Bot, key: 'e' },
      { path: '/automations', name: 'Automations', icon: CalendarClock, key: 'm' },
    ],
  },
  {
    name: 'Control',
    items: [
      { path: '/autonomy', name: 'Autonomy', icon: SlidersHorizontal, key: 'u' },
      { path: '/tools', name: 'Tools', icon: Wrench, key: 'w' },
      { path: '/changes', name: 'Changes', icon: UsersRound, key: 'c' },
      { path: '/halts', name: 'Halts', icon: OctagonX, key: 'h' },
      { path: '/break-glass', name: 'Break-glass', icon: ShieldAlert, key: 'b' },
    ],
  },
  {
    name: 'Evidence',
    items: [
      { path: '/audit', name: 'Audit', icon: FileSearch, key: 'a' },
      { path: '/commands', name: 'Commands', icon: SquareTerminal, key: 'd' },
      { path: '/incidents', name: 'Incidents', icon: Siren, key: 'n' },
    ],
  },
];

export const SETTINGS: NavigationItem = { path: '/settings', name: 'Settings', icon: Settings, key: 's' };

export const NAVIGATION_ITEMS: readonly NavigationItem[] = [...GROUPS.flatMap(({ items }) => items), SETTINGS];

/** The pages at the bottom of a phone. */
export const BOTTOM: readonly NavigationItem[] = [INBOX, RUNS, TASKS];
