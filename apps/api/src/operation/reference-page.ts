import { ownMember } from '#lib/canonical';
import type { ApiDocument, DescribedOperation } from './api-description.js';

export const referenceStyle = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 60rem; margin: 0 auto; padding: 1.5rem; }
code, pre { font: 0.9em/1.45 ui-monospace, monospace; }
pre { overflow-x: auto; padding: 0.75rem; border: 1px solid color-mix(in srgb, currentColor 25%, transparent); border-radius: 6px; }
nav ul { columns: 2; padding-left: 1rem; }
details { margin: 0.25rem 0 0.75rem; }
summary { cursor: pointer; padding: 0.35rem 0; }
.method { display: inline-block; min-width: 4.5rem; font-weight: 700; }
.access { margin-left: 0.5rem; font-size: 0.85em; opacity: 0.75; }
`;

/** The reference as one HTML page. Everything that comes from the document is escaped. */
export function referencePage(document: ApiDocument): string {
  const groups = new Map<string, string[]>();
  for (const [path, operations] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      const group = operation.tags?.[0] ?? 'Other';
      groups.set(group, [...(groups.get(group) ?? []), operationHtml(method, path, operation)]);
    }
  }
  const names = [...groups.keys()].sort();
  const schemas = Object.entries(document.components?.schemas ?? {}).sort(([a], [b]) => a.localeCompare(b));
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escape(document.info.title)} API</title><style>${referenceStyle}</style></head>
<body>
<h1>${escape(document.info.title)} API</h1>
<p>${escape(document.info.description ?? '')} The same as a document: <a href="/v1/openapi.json">/v1/openapi.json</a>.</p>
<nav aria-label="Sections"><ul>${[...names, 'Schemas'].map((name) => `<li><a href="#${anchor(name)}">${escape(name)}</a></li>`).join('')}</ul></nav>
<main>
${names.map((name) => `<section id="${anchor(name)}"><h2>${escape(name)}</h2>\n${(groups.get(name) ?? []).join('\n')}</section>`).join('\n')}
<section id="schemas"><h2>Schemas</h2>
${schemas.map(([name, schema]) => `<details id="schema-${anchor(name)}"><summary><code>${escape(name)}</code></summary>${json(schema)}</details>`).join('\n')}
</section>
</main>
</body>
</html>
`;
}

function operationHtml(method: string, path: string, operation: DescribedOperation): string {
  const parameters = operation.parameters ?? [];
  const bodies = Object.entries(operation.requestBody?.content ?? {});
  return `<details id="${anchor(operation.operationId)}">
<summary><code><span class="method">${escape(method.toUpperCase())}</span>${escape(path)}</code> <span class="access">${escape(accessOf(operation))}</span><br>${escape(operation.summary ?? '')}</summary>
${parameters.length === 0 ? '' : `<h3>Parameters</h3><ul>${parameters.map((parameter) => `<li><code>${escape(parameter.name)}</code> in ${escape(parameter.in)}${parameter.required === true ? ', required' : ''}</li>`).join('')}</ul>`}
${bodies.map(([type, { schema }]) => `<h3>Body, ${escape(type)}</h3>${json(schema)}`).join('')}
<h3>Answers</h3>
${Object.entries(operation.responses)
  .map(
    ([status, response]) =>
      `<p><strong>${escape(status)}</strong> ${escape(response.description)}</p>${Object.values(response.content ?? {})
        .map(({ schema }) => json(schema))
        .join('')}`,
  )
  .join('')}
</details>`;
}

function accessOf(operation: DescribedOperation): string {
  const scope = operation['x-required-scope'];
  if (scope === undefined) return 'anybody';
  const roles = operation['x-required-roles'];
  if (roles !== undefined) return `scope ${scope}, role ${roles.join(' or ')}`;
  return operation['x-person-only'] === true ? `scope ${scope}, people only` : `scope ${scope}`;
}

/** JSON with its references to schemas as links. */
const json = (value: unknown): string =>
  `<pre>${escape(JSON.stringify(value, undefined, 2)).replace(
    /#\/components\/schemas\/([A-Za-z0-9_.-]+)/g,
    (whole, name: string) => `<a href="#schema-${anchor(name)}">${whole}</a>`,
  )}</pre>`;

const anchor = (name: string): string => name.toLowerCase().replace(/[^a-z0-9_-]+/g, '-');

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escape = (text: string): string => text.replace(/[&<>"']/g, (character) => ownMember(entities, character) ?? '');
