import type { Argument, Help, Option } from 'commander';

/**
 * The notes of the help behind the description of an option or argument. Commander leaves out the first, and writes values as
 * JSON.
 */
export const HELP_NOTES = {
  optionDescription: (option: Option): string =>
    noted(option, option.mandatory && option.defaultValue === undefined ? ['required'] : []),
  argumentDescription: (argument: Argument): string => noted(argument, []),
} satisfies Partial<Help>;

function noted(
  { description, argChoices, defaultValue }: Pick<Option, 'description' | 'argChoices' | 'defaultValue'>,
  notes: readonly string[],
): string {
  const value = shownDefault(defaultValue);
  const all = [
    ...notes,
    ...(argChoices === undefined ? [] : [`one of ${argChoices.join(', ')}`]),
    ...(value === '' ? [] : [`default: ${value}`]),
  ];
  return all.length === 0 ? description : `${description} (${all.join('; ')})`;
}

/** A value that a reader could type. Empty for none, such as that of a list which nothing was added to. */
function shownDefault(value: unknown): string {
  if (Array.isArray(value)) return value.join(',');
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
