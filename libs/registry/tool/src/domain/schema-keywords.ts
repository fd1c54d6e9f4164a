import { isJsonObject, type Json, type JsonObject } from '#lib/canonical';
import { WORKSPACE_PATH_FORMATS } from '#lib/formats';
import { escapePointer, member } from './json-pointer.js';
import { compileLinearPattern } from './linear-pattern.js';

/** The other formats that `format` may name; each is checked in time linear in the string. */
export const SUPPORTED_FORMATS = [
  'date',
  'date-time',
  'time',
  'duration',
  'uuid',
  'ipv4',
  'ipv6',
  'hostname',
  'email',
  'uri',
  'json-pointer',
] as const;

const FORMATS: readonly string[] = [...SUPPORTED_FORMATS, ...Object.values(WORKSPACE_PATH_FORMATS)];
const MAX_UNIQUE_ITEMS = 1_000;
const DIALECT = 'https://json-schema.org/draft/2020-12/schema';

const REFUSED = [
  '$id',
  '$anchor',
  '$dynamicRef',
  '$dynamicAnchor',
  '$recursiveRef',
  '$recursiveAnchor',
  '$vocabulary',
  'id',
] as const;

/** A member of a schema that is refused. */
export interface SchemaMistake {
  readonly path: string;
  readonly message: string;
  readonly suggestion?: string;
}

/** The mistakes in the keywords of one node of a schema, without those below it. @param path the pointer of the node; empty at the top. */
export function keywordMistakes(node: JsonObject, path: string): SchemaMistake[] {
  const mistakes: SchemaMistake[] = REFUSED.filter((keyword) => Object.hasOwn(node, keyword)).map((keyword) => ({
    path: `${path}/${keyword}`,
    message: `${keyword} is not supported.`,
  }));
  if (Object.hasOwn(node, '$schema') && node.$schema !== DIALECT)
    mistakes.push({
      path: `${path}/$schema`,
      message: 'Only JSON Schema 2020-12 is supported.',
      suggestion: DIALECT,
    });
  if (path !== '' && Object.hasOwn(node, '$defs'))
    mistakes.push({ path: `${path}/$defs`, message: '$defs stands at the top of the schema only.' });
  const reference = member(node, '$ref');
  if (reference !== undefined && definitionName(reference) === null)
    mistakes.push({
      path: `${path}/$ref`,
      message: 'A $ref names a definition of the same schema.',
      suggestion: '#/$defs/<name>',
    });
  const format = member(node, 'format');
  if (format !== undefined && !FORMATS.some((name) => name === format))
    mistakes.push({
      path: `${path}/format`,
      message: `This format is not supported; these are: ${FORMATS.join(', ')}.`,
    });
  mistakes.push(...patternMistakes(member(node, 'pattern'), `${path}/pattern`));
  const patternProperties = member(node, 'patternProperties');
  if (isJsonObject(patternProperties)) {
    for (const pattern of Object.keys(patternProperties))
      mistakes.push(...patternMistakes(pattern, `${path}/patternProperties/${escapePointer(pattern)}`));
  }
  const maxItems = member(node, 'maxItems');
  if (member(node, 'uniqueItems') === true && !(typeof maxItems === 'number' && maxItems <= MAX_UNIQUE_ITEMS))
    mistakes.push({
      path: `${path}/uniqueItems`,
      message: 'Comparing every item with every other takes long: say how many there are at most.',
      suggestion: `maxItems: ${String(MAX_UNIQUE_ITEMS)}`,
    });
  return mistakes;
}

function patternMistakes(pattern: Json | undefined, path: string): SchemaMistake[] {
  if (typeof pattern !== 'string') return [];
  try {
    compileLinearPattern(pattern);
    return [];
  } catch (problem) {
    const why = problem instanceof Error ? problem.message : 'unknown syntax';
    return [{ path, message: `This pattern cannot be matched in linear time: ${why}.` }];
  }
}

/** The name of the definition that a `$ref` names; null if it names something else. */
export function definitionName(reference: Json | undefined): string | null {
  if (typeof reference !== 'string') return null;
  const name = /^#\/\$defs\/([^/]+)$/.exec(reference)?.[1];
  return name === undefined ? null : name.replaceAll('~1', '/').replaceAll('~0', '~');
}
