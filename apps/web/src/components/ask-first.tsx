import { useState, type ReactNode } from 'react';
import { Button, type ButtonLook } from './button.js';
import { Dialog } from './dialog.js';
import { ErrorNote } from './error-note.js';

/** The members of a change of useChange that the dialog uses. */
interface Change {
  mutate(input: undefined, options: { readonly onSuccess: () => void }): void;
  reset(): void;
  readonly error: Error | null;
  readonly isPending: boolean;
}

interface AskFirstProps {
  /** The content of the button that asks. */
  readonly label: ReactNode;
  /** Its name for a screen reader, if others beside it have the same label. */
  readonly name?: string;
  readonly look?: ButtonLook;
  readonly size?: 'sm' | 'md';
  readonly className?: string;
  /** The question. */
  readonly title: string;
  readonly description?: ReactNode;
  /** The label of the button that does it. */
  readonly act: string;
  readonly change: Change;
  /** The consequences. */
  readonly children: ReactNode;
}

/** A button that removes or ends something, after a dialog told the consequences. */
export function AskFirst(props: AskFirstProps) {
  const { label, name, look = 'danger-outline', size = 'md', className, change } = props;
  const [asked, setAsked] = useState(false);
  const close = (): void => {
    setAsked(false);
  };
  return (
    <>
      <Button
        look={look}
        size={size}
        aria-label={name}
        className={className}
        onClick={() => {
          change.reset();
          setAsked(true);
        }}
      >
        {label}
      </Button>
      {asked && (
        <Dialog title={props.title} description={props.description} onClose={close}>
          <div className="flex flex-col gap-4 text-sm">
            {props.children}
            {change.error !== null && <ErrorNote error={change.error} />}
            <div className="flex flex-wrap justify-end gap-2">
              <Button onClick={close}>Cancel</Button>
              <Button
                look="danger"
                busy={change.isPending}
                onClick={() => {
                  change.mutate(undefined, { onSuccess: close });
                }}
              >
                {props.act}
              </Button>
            </div>
          </div>
        </Dialog>
      )}
    </>
  );
}
