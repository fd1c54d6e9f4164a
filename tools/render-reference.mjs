/** Renders a document's JSON Schema as a reference page in Markdown: one table an object, one row a member. */

/** @typedef {Record<string, any>} Schema */

/**
 * @param {{ title: string, intro: string, schema: Schema }} page
 * @returns {string}
 */
export function renderReference({ title, intro, schema }) {
  const sections = [];
  const seen = new Set();
  const visit = (/** @type {Schema} */ node, /** @type {string} */ path) => {
    const { target } = followed(schema, node);
    const members = Object.entries(target.properties ?? {});
    if (members.length > 0) {
      const key = node.$ref ?? path;
      if (seen.has(key)) return;
      seen.add(key);
      sections.push(section(schema, path, target, members));
    }
    for (const [name, member] of members) visit(member, path === '' ? name : `${path}.${name}`);
    if (target.items !== undefined) visit(target.items, `${path}[]`);
    if (typeof target.additionalProperties === 'object') visit(target.additionalProperties, `${path}.<name>`);
  };
  visit(schema, '');
  return [`# ${title}`, '', intro, '', ...sections].join('\n');
}

function followed(/** @type {Schema} */ root, /** @type {Schema} */ node) {
  const name = node.$ref?.split('/').at(-1);
  const target = name === undefined ? node : root.$defs?.[name];
  if (target === undefined) throw new Error(`the schema has no ${node.$ref}`);
  return { target, description: node.description ?? target.description };
}

function section(root, path, target, members) {
  const required = new Set(target.required ?? []);
  const heading = path === '' ? '## The document' : `## \`${path}\``;
  const rows = members.map(([name, member]) => {
    const { description } = followed(root, member);
    if (description === undefined) throw new Error(`${path === '' ? name : `${path}.${name}`} has no description`);
    const need = required.has(name) ? 'yes' : '';
    return `| \`${name}\` | ${cell(typeOf(root, member))} | ${need} | ${cell(description)} |`;
  });
  const about = target.description === undefined ? [] : [target.description, ''];
  return [
    heading,
    '',
    ...about,
    '| member | type | required | meaning |',
    '| --- | --- | --- | --- |',
    ...rows,
    '',
  ].join('\n');
}

const cell = (text) => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

function typeOf(root, member) {
  const { target } = followed(root, member);
  const range = rangeOf(target);
  const standard = target.default === undefined ? '' : `, default \`${JSON.stringify(target.default)}\``;
  if (target.const !== undefined) return `\`${JSON.stringify(target.const)}\``;
  if (target.enum !== undefined) return target.enum.map((value) => `\`${value}\``).join(', ') + standard;
  if (target.anyOf !== undefined) return target.anyOf.map((each) => typeOf(root, each)).join(' or ') + standard;
  if (target.type === 'array') return `list of ${typeOf(root, target.items)}${range}${standard}`;
  if (target.type === 'object') return typeof target.additionalProperties === 'object' ? 'map' : 'object';
  if (target.type === 'integer') return `whole number${range}${standard}`;
  return `${target.type ?? 'any JSON'}${range}${standard}`;
}

function rangeOf({ type, minimum, maximum, minItems, maxItems, minLength, maxLength }) {
  if (type === 'string') return maxLength === undefined ? '' : ` of ${minLength ?? 0} to ${maxLength} characters`;
  if (type === 'array') return maxItems === undefined ? '' : `, ${minItems ?? 0} to ${maxItems} entries`;
  if (minimum === undefined || maximum === undefined) return '';
  return `, ${minimum} to ${maximum}`;
}
