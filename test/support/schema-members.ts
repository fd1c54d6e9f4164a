import { z } from 'zod';

/** A member of a shape that holds a value. */
export interface SchemaMember {
  /** Names of members, and `0` for the first of an array: `phases.0.name`. */
  readonly path: string;
  readonly schema: z.core.$ZodType;
}

/** The members of a shape that hold a value; a record is one member. */
export function schemaMembers(schema: z.core.$ZodType, path: readonly string[] = []): SchemaMember[] {
  if (schema instanceof z.ZodObject)
    return Object.entries(schema.shape as Record<string, z.core.$ZodType>).flatMap(([name, each]) =>
      schemaMembers(each, [...path, name]),
    );
  if (
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodExactOptional ||
    schema instanceof z.ZodDefault
  )
    return schemaMembers(schema.unwrap(), path);
  if (schema instanceof z.ZodArray) return schemaMembers(schema.element, [...path, '0']);
  return [{ path: path.join('.'), schema }];
}

/** A copy of a document with one member that is another. */
export function changedMember<Document>(
  document: Document,
  member: string,
  another: (value: unknown) => unknown,
): Document {
  const copy = structuredClone(document);
  const path = member.split('.');
  const last = path.pop() ?? '';
  const owner = path.reduce<Record<string, unknown>>(
    (node, name) => node[name] as Record<string, unknown>,
    copy as unknown as Record<string, unknown>,
  );
  owner[last] = another(owner[last]);
  return copy;
}

/** A value of the same kind that differs. */
export function anotherValue(value: unknown): unknown {
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'boolean') return !value;
  if (value === 'pause') return 'rollback';
  if (typeof value === 'object' && value !== null) return { ...value, another: 'argument' };
  return `${String(value)}x`;
}
