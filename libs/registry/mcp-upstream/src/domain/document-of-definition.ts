import { isJsonObject, type JsonObject } from '#lib/canonical';
import type { ToolDocument } from '#lib/formats';

/** The part of a tool that a person assigns. Each hint of the server about it is ignored. */
export type Assignment = Omit<ToolDocument, 'description' | 'parameters' | 'result_schema' | 'mcp' | 'executor'> & {
  /** In place of the server's own description, for approvers and agents. */
  readonly description?: string | undefined;
};

/** A definition that a person looked at. */
export interface SeenDefinition {
  readonly server: string;
  readonly tool: string;
  readonly digest: string;
  readonly definition: JsonObject;
}

/** The registry's document for an accepted definition: words and arguments of the server, all else of the person. */
export function documentOfDefinition(
  { server, tool, digest, definition }: SeenDefinition,
  { description, ...assigned }: Assignment,
): ToolDocument {
  const own = typeof definition.description === 'string' ? definition.description.trim() : '';
  return {
    ...assigned,
    description: description ?? (own === '' ? tool : own),
    // Zod's type of JSON has no readonly members.
    parameters: parametersOf(definition) as ToolDocument['parameters'],
    mcp: { tool, digest },
    executor: server,
  };
}

/** Keywords that read otherwise in the drafts before 2020-12. */
const OTHERWISE = ['definitions', 'dependencies', 'additionalItems'];
const EARLIER = /^https?:\/\/json-schema\.org\/draft-0[67]\/schema#?$/;

/**
 * The schema of the arguments. Servers of the older protocol name draft 7: the mark goes if the schema reads the same in 2020-12.
 * Arguments that a schema does not name are refused, unless it says that there may be any.
 */
function parametersOf({ inputSchema }: JsonObject): JsonObject {
  if (!isJsonObject(inputSchema)) return { type: 'object' };
  const { $schema, ...schema } = inputSchema;
  const earlier = typeof $schema === 'string' && EARLIER.test($schema) && readsTheSame(schema);
  return {
    ...(earlier || $schema === undefined ? {} : { $schema }),
    additionalProperties: false,
    ...schema,
  };
}

function readsTheSame(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null) return true;
  return Object.entries(schema).every(
    ([keyword, value]) =>
      !OTHERWISE.includes(keyword) && !(keyword === 'items' && Array.isArray(value)) && readsTheSame(value),
  );
}
