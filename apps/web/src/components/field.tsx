import { useId, type ReactNode } from 'react';

const control =
  'min-h-10 w-full rounded-lg border border-line-strong bg-surface px-3 py-1.5 text-base text-ink placeholder:text-muted disabled:opacity-60';

interface FieldProps {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly children: (control: {
    readonly id: string;
    readonly className: string;
    readonly 'aria-describedby'?: string;
  }) => ReactNode;
}

/** A labelled control: `children` gets the ids that tie it to its label. */
export function Field({ label, hint, children }: FieldProps) {
  const id = useId();
  const hintId = `${id}-hint`;
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      {children({ id, className: control, ...(hint === undefined ? {} : { 'aria-describedby': hintId }) })}
      {hint !== undefined && (
        <p id={hintId} className="text-sm text-muted">
          {hint}
        </p>
      )}
    </div>
  );
}
