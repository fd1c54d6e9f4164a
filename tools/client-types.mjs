import openapiTS, { astToString } from 'openapi-typescript';

const HEAD =
  '/** The paths and documents of the API. `npm run references` generates them from its OpenAPI document. */\n\n' +
  'export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };\n\n';
const REFERENCE = '#/components/schemas/';

/**
 * The types of the client, as a TypeScript module.
 *
 * @param {{ paths: object, components?: { schemas?: Record<string, object> } }} document the OpenAPI document.
 * @returns {Promise<string>}
 */
export const clientTypes = async (document) =>
  HEAD +
  astToString(await openapiTS(forClients(document), { alphabetize: true }))
    .replaceAll(/^ +headers: \{\n.*\n +\};\n/gm, '')
    .replaceAll(/^ +\w+\?: never;\n/gm, '')
    .replaceAll(/^ +parameters: \{\n +\};\n/gm, '')
    .replaceAll(/components\["schemas"\]\["__schema\d+"\]/g, 'Json')
    .replaceAll(/^ +__schema\d+: [^]*?\n +\};\n/gm, '')
    .replace(/\nexport type webhooks[^]*?(?=\nexport interface components)/, '')
    .replace(/\nexport type \$defs[^]*$/, '');

/**
 * The document without prose and without refusals, which are problems everywhere. A body may omit a member with a default;
 * an answer never omits it. A schema with such a member that serves both is therefore written twice.
 */
function forClients({ paths, components, ...rest }) {
  const schemas = components?.schemas ?? {};
  const operations = Object.values(paths).flatMap((path) => Object.values(path));
  const answers = reached(operations.map(answersOf), schemas);
  const bodies = reached(
    operations.map(({ parameters, requestBody }) => [parameters, requestBody]),
    schemas,
  );
  const twice = new Set(withDefaults(schemas).filter((name) => bodies.has(name) && answers.has(name)));
  const answered = (value) => rewritten(value, (name) => name, true);
  const sent = (value) => rewritten(value, (name) => (twice.has(name) ? `${name}Input` : name), false);
  const operation = ({ summary, parameters = [], requestBody, ...responses }) => ({
    summary,
    parameters: sent(parameters),
    ...(requestBody === undefined ? {} : { requestBody: sent(requestBody) }),
    responses: answered(answersOf(responses)),
  });
  const of = (names, change, suffix = '') =>
    Object.fromEntries(names.map((name) => [`${name}${suffix}`, change(schemas[name])]));
  return {
    ...rest,
    paths: mapped(paths, (path) => mapped(path, operation)),
    components: {
      schemas: {
        ...of([...answers], answered),
        ...of(
          [...bodies].filter((name) => !answers.has(name)),
          sent,
        ),
        ...of([...twice], sent, 'Input'),
      },
    },
  };
}

const answersOf = ({ responses: { default: _refusal, ...answers } }) => answers;

/** The names of the schemas that a value refers to, and those that they refer to. */
function reached(value, schemas, found = new Set()) {
  for (const [, name] of (JSON.stringify(value) ?? '').matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
    if (found.has(name)) continue;
    found.add(name);
    reached(schemas[name], schemas, found);
  }
  return found;
}

const mapped = (members, change) =>
  Object.fromEntries(Object.entries(members).map(([name, value]) => [name, change(value)]));

/** The names of schemas that hold a member with a default, themselves or in a schema that they refer to. */
const withDefaults = (schemas) =>
  Object.keys(schemas).filter((name) =>
    [name, ...reached(schemas[name], schemas)].some((one) => JSON.stringify(schemas[one]).includes('"default":')),
  );

/** The schema with renamed references; its members with a default are required or optional. */
function rewritten(value, rename, required) {
  if (Array.isArray(value)) return value.map((item) => rewritten(item, rename, required));
  if (typeof value !== 'object' || value === null) return value;
  const {
    description: _prose,
    default: _default,
    example: _example,
    format: _format,
    $ref,
    properties,
    ...rest
  } = value;
  const members = mapped(rest, (member) => rewritten(member, rename, required));
  if ($ref !== undefined) members.$ref = REFERENCE + rename($ref.slice(REFERENCE.length));
  if (properties === undefined) return members;
  const filled = Object.keys(properties).filter((name) => required && 'default' in properties[name]);
  return {
    ...members,
    properties: mapped(properties, (property) => rewritten(property, rename, required)),
    required: [...new Set([...(members.required ?? []), ...filled])],
  };
}
