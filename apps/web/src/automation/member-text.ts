/** A member of the source as text. It may be any value in a trigger or step that this page does not know. */
export const memberText = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value ?? null);
