import { X } from 'lucide-react';
import { useId, useLayoutEffect, useRef, useState, type ReactNode } from 'react';
import { visibleText } from '#lib/words';
import { Button } from './button.js';

interface DialogProps {
  /** May hold a name that others gave. */
  readonly title: string;
  readonly description?: ReactNode;
  /** Without it, neither Escape nor a cross closes the dialog; its content does. */
  readonly onClose?: () => void;
  readonly children: ReactNode;
}

/**
 * The change that closes a dialog often removes the button that opened it. A screen reader would then begin at the sidebar again.
 */
function focusPageIfLost(): void {
  if (document.activeElement === document.body) document.getElementById('content')?.focus({ preventScroll: true });
}

/** A modal dialog, the browser's own: it keeps the focus, closes on Escape, and gives the focus back. Shown while mounted. */
export function Dialog({ title, description, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  const descriptionId = useId();
  // The content comes once the dialog is open: before, no control in it could take the focus.
  const [open, setOpen] = useState(false);
  /** The dialog was dismissed while it holds typed text, which would be lost. */
  const [asking, setAsking] = useState(false);
  useLayoutEffect(() => {
    const element = dialog.current;
    if (element !== null && !element.open) element.showModal();
    setOpen(true);
    return () => {
      element?.close();
      requestAnimationFrame(focusPageIfLost);
    };
  }, []);
  const dismiss = (): void => {
    const texts = [...(dialog.current?.querySelectorAll('textarea') ?? [])];
    if (!asking && texts.some(({ value }) => value.trim() !== '')) setAsking(true);
    else onClose?.();
  };
  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      aria-describedby={description === undefined ? undefined : descriptionId}
      onCancel={(event) => {
        event.preventDefault();
        dismiss();
      }}
      // At the second Escape in a row a browser closes it without a question. It is shown as long as it is mounted.
      onClose={() => dialog.current?.showModal()}
      onInput={() => {
        setAsking(false);
      }}
      className="w-[min(36rem,calc(100vw-2rem))] rounded-2xl border border-line bg-surface p-0 shadow-2xl"
    >
      <div className="flex items-start justify-between gap-4 px-5 pt-5">
        <div>
          <h2 id={id} className="text-lg font-semibold">
            {visibleText(title)}
          </h2>
          {description !== undefined && (
            <div id={descriptionId} className="mt-1 text-sm text-muted">
              {description}
            </div>
          )}
        </div>
        {onClose !== undefined && (
          <button
            type="button"
            onClick={dismiss}
            aria-label="Close"
            className="-m-1 grid size-9 shrink-0 place-items-center rounded-lg text-muted hover:bg-sunken hover:text-ink"
          >
            <X aria-hidden className="size-4.5" />
          </button>
        )}
      </div>
      <div className="px-5 py-5">{open && children}</div>
      {asking && (
        <div
          role="alert"
          className="sticky bottom-0 flex flex-wrap items-center justify-end gap-2 border-t border-line bg-warn-soft px-5 py-3 text-sm"
        >
          <p className="mr-auto">If you close this, your text is lost.</p>
          <Button
            size="sm"
            onClick={() => {
              setAsking(false);
            }}
          >
            Keep it open
          </Button>
          <Button size="sm" look="danger-outline" onClick={onClose}>
            Drop the text
          </Button>
        </div>
      )}
    </dialog>
  );
}
