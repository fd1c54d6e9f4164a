import { useEffect } from 'react';
import { useBlocker } from 'react-router';
import { Button } from './button.js';
import { Dialog } from './dialog.js';

interface AskBeforeLeavingProps {
  /** Whether something was typed that is not in force. */
  readonly when: boolean;
  /** Drops the typed text; null if the page keeps none of it. */
  readonly drop: (() => void) | null;
}

/** Asks before somebody leaves a page with a draft, and before they close the tab. */
export function AskBeforeLeaving({ when, drop }: AskBeforeLeavingProps) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => when && currentLocation.pathname !== nextLocation.pathname,
  );
  useEffect(() => {
    if (!when) return undefined;
    const ask = (event: BeforeUnloadEvent): void => {
      event.preventDefault();
    };
    window.addEventListener('beforeunload', ask);
    return () => {
      window.removeEventListener('beforeunload', ask);
    };
  }, [when]);
  if (blocker.state !== 'blocked') return null;
  return (
    <Dialog
      title="Leave with a draft?"
      description={
        drop === null
          ? 'Your text is not in force, and is lost if you leave.'
          : 'Your text is not in force. It can stay here for you until you close this tab.'
      }
      onClose={() => {
        blocker.reset();
      }}
    >
      <div className="flex flex-wrap justify-end gap-2">
        <Button
          onClick={() => {
            blocker.reset();
          }}
        >
          Stay
        </Button>
        <Button
          look="danger-outline"
          onClick={() => {
            drop?.();
            blocker.proceed();
          }}
        >
          Drop the draft and leave
        </Button>
        {drop !== null && (
          <Button
            look="primary"
            onClick={() => {
              blocker.proceed();
            }}
          >
            Keep the draft and leave
          </Button>
        )}
      </div>
    </Dialog>
  );
}
