import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { queryOf } from '../api/query.js';
import { InertText } from '../components/agent-text.js';

const control =
  'h-9 rounded-lg border border-line-strong bg-surface px-2 text-sm text-ink placeholder:text-muted disabled:opacity-60';
const NEW = ' ';
const ROLE = /^[A-Za-z][A-Za-z0-9_-]{0,62}$/;

/** The roles that documents, mappings and people know, by name. */
export function useKnownRoles(): readonly string[] {
  const { data } = useQuery(queryOf('/v1/roles'));
  return data?.items.map(({ role }) => role) ?? [];
}

interface PickerProps {
  readonly id?: string;
  readonly label?: string;
  readonly value: string;
  readonly onChange: (role: string) => void;
  /** Roles that are not offered. */
  readonly except?: readonly string[];
}

/** A role from the list of those that are known, or a new one. */
export function RolePicker({ id, label, value, onChange, except = [] }: PickerProps) {
  const known = useKnownRoles();
  const [writes, setWrites] = useState(false);
  const offered = known.filter((role) => !except.includes(role));
  const unknown = value !== '' && !known.includes(value);
  if (writes || unknown)
    return (
      <span className="inline-flex flex-wrap items-center gap-1">
        <NewRole
          {...(id === undefined ? {} : { id })}
          label={label ?? 'New role'}
          required
          value={value}
          onChange={onChange}
        />
        <button
          type="button"
          className="rounded px-1 text-sm text-accent underline"
          onClick={() => {
            setWrites(false);
            onChange('');
          }}
        >
          Choose from the list
        </button>
      </span>
    );
  return (
    <select
      {...(id === undefined ? {} : { id })}
      {...(label === undefined ? {} : { 'aria-label': label })}
      required
      className={id === undefined ? control : `${control} min-h-10 w-full`}
      value={value}
      onChange={({ target }) => {
        if (target.value === NEW) setWrites(true);
        else onChange(target.value);
      }}
    >
      <option value="">Choose a role</option>
      {offered.map((role) => (
        <option key={role} value={role}>
          {role}
        </option>
      ))}
      <option value={NEW}>New role …</option>
    </select>
  );
}

interface NewRoleProps {
  readonly id?: string;
  readonly label: string;
  readonly value: string;
  readonly required?: boolean;
  readonly onChange: (role: string) => void;
}

/** A role by name; tells if no document names it, and the probable one. */
export function NewRole({ id, label, value, required = false, onChange }: NewRoleProps) {
  const name = useDeferredValue(value.trim());
  const asked = useQuery({ ...queryOf('/v1/roles', { query: { name } }), enabled: ROLE.test(name) });
  const [warning] = ROLE.test(name) ? (asked.data?.warnings ?? []) : [];
  return (
    <span className="inline-flex flex-col gap-1">
      <input
        {...(id === undefined ? {} : { id })}
        aria-label={label}
        placeholder={label}
        required={required}
        value={value}
        onChange={({ target }) => {
          onChange(target.value);
        }}
        className={`${control} w-44`}
      />
      {warning !== undefined && (
        <span role="status" className="text-sm text-warn">
          <InertText text={warning} />
        </span>
      )}
    </span>
  );
}
