/** A member of the source as text; of a trigger or step that this page does not know, it may be anything. */
export const memberText = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value ?? null);
