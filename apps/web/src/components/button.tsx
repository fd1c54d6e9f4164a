import { useId, type ComponentProps, type MouseEvent, type ReactNode } from 'react';

const LOOKS = {
  primary: 'bg-accent text-accent-ink hover:opacity-90',
  secondary: 'border border-line-strong bg-surface text-ink hover:bg-sunken',
  danger: 'bg-danger text-danger-ink hover:opacity-90',
  'danger-outline': 'border border-danger text-bad bg-surface hover:bg-bad-soft',
  quiet: 'text-muted hover:text-ink hover:bg-sunken',
} as const;

const SIZES = { sm: 'h-8 px-3 text-sm', md: 'h-10 px-4 text-sm' } as const;

export type ButtonLook = keyof typeof LOOKS;

/** The look of a button; for links that look like one. */
export const buttonClass = (look: ButtonLook = 'secondary', size: keyof typeof SIZES = 'md'): string =>
  `inline-flex items-center justify-center gap-2 rounded-lg font-medium whitespace-nowrap transition-colors select-none [&>svg]:shrink-0 aria-disabled:cursor-not-allowed aria-disabled:opacity-55 forced-colors:border print:hidden ${LOOKS[look]} ${SIZES[size]}`;

interface ButtonProps extends ComponentProps<'button'> {
  readonly look?: ButtonLook;
  readonly size?: keyof typeof SIZES;
  /** While something is under way: the button keeps its width and takes no second click. */
  readonly busy?: boolean;
  /** The reason why the reader cannot press it now, said beside it; null if they can. */
  readonly barred?: string | null;
  readonly children: ReactNode;
}

/** Keeps a submit button from submitting its form. */
const preventDefault = (event: MouseEvent): void => {
  event.preventDefault();
};

/** A button that takes no click now can still have the focus. A disabled one would lose it, and with it the reader's place. */
export function Button({
  look,
  size,
  busy = false,
  barred = null,
  className = '',
  disabled = false,
  onClick,
  children,
  ...rest
}: ButtonProps) {
  const why = useId();
  const off = disabled || busy || barred !== null;
  const button = (
    <button
      type="button"
      {...rest}
      onClick={off ? preventDefault : onClick}
      aria-disabled={off || undefined}
      aria-busy={busy || undefined}
      aria-describedby={barred === null ? rest['aria-describedby'] : why}
      className={`${buttonClass(look, size)} ${className}`}
    >
      {children}
    </button>
  );
  if (barred === null) return button;
  return (
    <span className="inline-flex max-w-full flex-wrap items-center gap-x-2 gap-y-1">
      {button}
      <span id={why} className="max-w-72 text-xs text-muted">
        {barred}
      </span>
    </span>
  );
}
