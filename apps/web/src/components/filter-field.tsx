import { useId, type ReactNode } from 'react';

interface FilterFieldProps {
  readonly label: string;
  /** Takes a row of its own on a phone. */
  readonly wide?: boolean;
  readonly children: (control: { readonly id: string; readonly className: string }) => ReactNode;
}

/** A filter and its label: beside it if there is room, above it on a phone. */
export function FilterField({ label, wide = false, children }: FilterFieldProps) {
  const id = useId();
  return (
    <span
      className={`flex min-w-0 flex-col gap-1 md:inline-flex md:flex-row md:items-center md:gap-2 ${wide ? 'col-span-2' : ''}`}
    >
      <label htmlFor={id} className="shrink-0 text-sm whitespace-nowrap text-muted">
        {label}
      </label>
      {children({
        id,
        className:
          'h-9 w-full min-w-0 rounded-lg border border-line-strong bg-surface px-2 text-sm placeholder:text-muted md:max-w-52',
      })}
    </span>
  );
}
