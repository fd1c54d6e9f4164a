/** Whether something is an object with these members. */
export const hasMembers = <Name extends string>(
  value: unknown,
  names: readonly Name[],
): value is Readonly<Record<Name, unknown>> =>
  typeof value === 'object' && value !== null && names.every((name) => name in value);
