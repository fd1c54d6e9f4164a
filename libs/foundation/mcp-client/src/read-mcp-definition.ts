import { canonicalJson, type Json, type JsonObject } from '#lib/canonical';
import { digestText, type Digest } from '#lib/kernel';

/** Most tools that a server may list. */
export const MAX_MCP_TOOLS = 200;

const MAX_CHARACTERS = 65_536;
const MAX_DESCRIPTION = 4_000;
const MAX_DEPTH = 40;
const NAME = /^[A-Za-z0-9_.-]{1,100}$/;

/** The members that a person accepts. Icons and `_meta` are neither shown nor passed on. */
const MEMBERS = ['name', 'title', 'description', 'inputSchema', 'outputSchema', 'annotations'] as const;

/** Characters that a reader does not see: controls other than line ends and tabs, formatting characters, and hidden selectors. */
const HIDDEN = /(?![\n\r\t])[\p{Cc}\p{Cf}\u{E0100}-\u{E01EF}]/u;

/** The definition of one tool, as an MCP server lists it. Each word of it is a stranger's. */
export interface McpDefinition {
  readonly tool: string;
  /** Over the canonical JSON of the members that count; null if it breaks a bound. */
  readonly digest: Digest | null;
  /** Those members; null if it breaks a bound. */
  readonly definition: JsonObject | null;
  /** The bound that it breaks, in words. */
  readonly problem: string | null;
}

/** Reads a definition, and refuses one that people cannot judge (T54): too large, too deep, or with invisible characters. */
export function readMcpDefinition(listed: unknown): McpDefinition {
  // Any object may be read by name: an absent member is undefined.
  const given = typeof listed === 'object' && listed !== null ? (listed as Readonly<Record<string, unknown>>) : {};
  const tool = typeof given.name === 'string' ? given.name : '';
  const refuse = (problem: string): McpDefinition => ({
    tool: shortened(tool),
    digest: null,
    definition: null,
    problem,
  });
  if (!NAME.test(tool)) return refuse('Its name is not 1 to 100 letters, digits and _ . -');
  const members = MEMBERS.flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]] as const]));
  // It came as JSON. `canonicalJson` refuses a value that JSON lacks.
  const definition = Object.fromEntries(members) as JsonObject;
  if (isDeeper(definition, MAX_DEPTH)) return refuse(`It is more than ${String(MAX_DEPTH)} levels deep.`);
  const { description } = definition;
  if (typeof description === 'string' && description.length > MAX_DESCRIPTION)
    return refuse(`Its description has more than ${String(MAX_DESCRIPTION)} characters.`);
  if (hides(definition)) return refuse('It holds characters that a reader does not see.');
  try {
    const text = canonicalJson(definition);
    if (text.length > MAX_CHARACTERS) return refuse(`It has more than ${String(MAX_CHARACTERS)} characters.`);
    return { tool, digest: digestText('mcp-tool', text), definition, problem: null };
  } catch {
    return refuse('It holds values that have no canonical form.');
  }
}

const shortened = (name: string): string => name.replaceAll(/[^A-Za-z0-9_.-]/g, '?').slice(0, 100);

function isDeeper(value: Json | undefined, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((member) => isDeeper(member, levels - 1));
}

function hides(value: Json | undefined): boolean {
  if (typeof value === 'string') return HIDDEN.test(value);
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([name, member]) => HIDDEN.test(name) || hides(member));
}
