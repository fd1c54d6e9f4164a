interface IconButtonProps {
  readonly label: string;
  /** Whether the part that it opens is open. */
  readonly expanded?: boolean;
  /** While something is under way: the button takes no second click. */
  readonly busy?: boolean;
  readonly onClick: () => void;
  readonly children: React.ReactNode;
}

/** A button of the frame that shows an icon alone; its label is read aloud, and shown by the pointer. */
export const IconButton = ({ label, expanded, busy = false, onClick, children }: IconButtonProps) => (
  <button
    type="button"
    aria-label={label}
    aria-expanded={expanded}
    aria-busy={busy || undefined}
    title={label}
    aria-disabled={busy || undefined}
    onClick={busy ? undefined : onClick}
    className="grid size-9 shrink-0 place-items-center rounded-lg text-muted hover:bg-sunken hover:text-ink aria-disabled:cursor-progress lg:size-8"
  >
    {children}
  </button>
);
