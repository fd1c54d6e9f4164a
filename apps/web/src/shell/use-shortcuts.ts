import { useEffect } from 'react';
import { useNavigate } from 'react-router';
import { isDialogOpen, isTyping } from './is-typing.js';
import { NAVIGATION_ITEMS } from './navigation.js';

const SECOND_KEY_WITHIN_MS = 1_200;

interface Shortcuts {
  readonly onHelp: () => void;
  readonly onGoTo: () => void;
  readonly onHalt: () => void;
}

/** `g i` goes to the inbox, and so on for every item; `?` helps, `/` and Ctrl or Command K open the palette, `H` halts. */
export function useShortcuts({ onHelp, onGoTo, onHalt }: Shortcuts): void {
  const navigate = useNavigate();
  useEffect(() => {
    let wentAt = -Infinity;
    const onKey = (event: KeyboardEvent): void => {
      if (event.key === 'k' && (event.metaKey || event.ctrlKey) && !event.altKey) {
        event.preventDefault();
        if (!isDialogOpen()) onGoTo();
        return;
      }
      if (isTyping(event)) return;
      const item =
        performance.now() - wentAt < SECOND_KEY_WITHIN_MS
          ? NAVIGATION_ITEMS.find(({ key }) => key === event.key)
          : undefined;
      wentAt = event.key === 'g' ? performance.now() : -Infinity;
      if (item !== undefined) void navigate(item.path);
      else if (event.key === '?') onHelp();
      else if (event.key === '/') onGoTo();
      else if (event.key === 'H') onHalt();
      else return;
      event.preventDefault();
    };
    window.addEventListener('keydown', onKey);
    return () => {
      window.removeEventListener('keydown', onKey);
    };
  }, [navigate, onHelp, onGoTo, onHalt]);
}
