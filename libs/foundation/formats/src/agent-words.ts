import { z } from 'zod';

/** The marked schemas. A heading is null for words about the document as a whole. */
const marked = z.registry<{ readonly heading: string | null }>();

/**
 * Text in an agent's own words, which decides nothing. The mark drives everything that happens to the text. Countersign
 * masks its secrets before it stores the document, and compares it between revisions. It shows the text to people as
 * unverified.
 *
 * @param heading the words that people read before the text; null for text about the document as a whole.
 */
export const agentWordsSchema = (max: number, heading: string | null, description: string) =>
  z.string().max(max).meta({ description }).register(marked, { heading });

interface MarkedMember {
  /** Names of members; `*` stands for each item of an array. */
  readonly path: readonly string[];
  readonly heading: string | null;
}

/** The agent's own words in documents of one schema. */
export interface AgentWords<Document> {
  /** The texts as people read them, in the order of the document: `canary, reason: …` for one of the phase `canary`. */
  readonly read: (document: Document) => readonly string[];
  /** The document with another text in the place of each. */
  readonly map: (document: Document, change: (text: string) => string) => Document;
  /** The heading of the text at a JSON Pointer; undefined if no agent's words stand there. */
  readonly headingAt: (pointer: string) => string | null | undefined;
}

/** Finds the marked texts of a schema once; documents are then read at these members alone. */
export function agentWordsOf<Document extends object>(schema: z.ZodType<Document>): AgentWords<Document> {
  const members = membersIn(schema, []);
  return {
    read: (document) => {
      const texts: string[] = [];
      for (const { path, heading } of members)
        visit(document, path, [], (text, owners) => {
          texts.push(heading === null ? text : `${[...owners, heading].join(', ')}: ${text}`);
          return text;
        });
      return texts;
    },
    map: (document, change) =>
      // Text alone is replaced, so the shape stays.
      members.reduce<unknown>((changed, { path }) => visit(changed, path, [], change), document) as Document,
    headingAt: (pointer) => {
      const path = pointer.split('/').slice(1);
      return members.find((member) => member.path.length === path.length && member.path.every(matches(path)))?.heading;
    },
  };
}

const matches =
  (path: readonly string[]) =>
  (name: string, index: number): boolean =>
    name === '*' || name === path[index];

function membersIn(schema: z.core.$ZodType, path: readonly string[]): readonly MarkedMember[] {
  const mark = marked.get(schema);
  if (mark !== undefined) return [{ path, heading: mark.heading }];
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) return membersIn(schema.unwrap(), path);
  if (schema instanceof z.ZodArray) return membersIn(schema.element, [...path, '*']);
  if (!(schema instanceof z.ZodObject)) return [];
  return Object.entries<z.core.$ZodType>(schema.shape).flatMap(([name, member]) => membersIn(member, [...path, name]));
}

/** A copy with another text at the path; the value itself if it has no text there. */
function visit(
  value: unknown,
  path: readonly string[],
  owners: readonly string[],
  change: (text: string, owners: readonly string[]) => string,
): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return typeof value === 'string' ? change(value, owners) : value;
  if (Array.isArray(value))
    return value.map((item: unknown) => visit(item, rest, [...owners, ...nameOf(item)], change));
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return value;
  // It has an own member of this name.
  return { ...value, [name]: visit((value as Readonly<Record<string, unknown>>)[name], rest, owners, change) };
}

/** The name of an item: the phase's or check's name, the step's id. */
function nameOf(item: unknown): readonly string[] {
  // The schema of the document has checked the items: a name or an id is a text.
  const { name, id } = item as { readonly name?: string; readonly id?: string };
  return [name, id].filter((each) => each !== undefined);
}
