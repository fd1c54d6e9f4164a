import { NavLink } from 'react-router';

const TABS = [
  ['/automations', 'Automations'],
  ['/automations/safe-tools', 'Tools they may call'],
] as const;

/** The two lists of automations. */
export const AutomationTabs = () => (
  <nav aria-label="About automations" className="mb-4 flex gap-1 overflow-x-auto border-b border-line">
    {TABS.map(([path, name]) => (
      <NavLink
        key={path}
        to={path}
        end
        className={({ isActive }) =>
          `-mb-px border-b-2 px-3 py-2 text-sm whitespace-nowrap focus-visible:-outline-offset-2 ${isActive ? 'border-accent font-semibold text-accent' : 'border-transparent text-muted hover:text-ink'}`
        }
      >
        {name}
      </NavLink>
    ))}
  </nav>
);
