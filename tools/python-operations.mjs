import { docstring, pascal, snake } from './python-names.mjs';
import { memberName, union } from './python-models.mjs';

/** Streams without an end, which a program reads by another library. */
const STREAMS = new Set(['live_stream', 'sessionSocket_open']);
/** Public operations that serve agents; the other public ones serve browsers, runners and Slack. */
const PUBLIC = new Set(['health_live', 'health_ready', 'description_schema', 'grant_redeem', 'grant_keys']);

/** The operations that the token of an agent opens: no person's, so that the client has no way to approve. */
export const operationsOf = ({ paths }) =>
  Object.entries(paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ path, method, ...operation })),
    )
    .filter(
      (operation) =>
        (operation['x-required-scope'] === undefined
          ? PUBLIC.has(operation.operationId)
          : operation['x-person-only'] !== true) && !STREAMS.has(operation.operationId),
    );

/**
 * The resources of the client, a class for each controller of the API.
 *
 * @param {object[]} operations as {@link operationsOf} has them.
 * @param {import('./python-models.mjs').PythonModels} models of their documents.
 * @param {boolean} isAsync whether each method is a coroutine.
 * @returns {string} a Python module.
 */
export function resourcesModule(operations, models, isAsync) {
  const prefix = isAsync ? 'Async' : '';
  const groups = new Map();
  for (const operation of operations) {
    const [group] = operation.operationId.split('_');
    groups.set(group, [...(groups.get(group) ?? []), operation]);
  }
  const classes = [...groups].map(([group, members]) =>
    [
      `class ${prefix}${pascal(group)}:`,
      ...docstring('    ', [`${members[0].tags[0]}.`]),
      '',
      `    def __init__(self, sender: ${prefix}Sender) -> None:`,
      '        self._sender = sender',
      ...members.flatMap((operation) => ['', ...methodLines(operation, models, isAsync)]),
    ].join('\n'),
  );
  const all = [
    `class ${prefix}Resources:`,
    ...docstring('    ', ['Everything that an agent may call, by resource.']),
    '',
    `    def __init__(self, sender: ${prefix}Sender) -> None:`,
    ...[...groups.keys()].map((group) => `        self.${snake(group)} = ${prefix}${pascal(group)}(sender)`),
  ].join('\n');
  return `${[head(prefix), ...classes, all].join('\n\n\n')}\n`;
}

const head = (
  prefix,
) => `"""The operations of the API. \`npm run references\` generates them from its OpenAPI document."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Literal, cast

from . import models
from ._call import UNSET, Call, ${prefix}Sender, Unset, members`;

function methodLines(operation, models, isAsync) {
  const { operationId, path, method, summary, parameters = [] } = operation;
  const name = snake(operationId.slice(operationId.indexOf('_') + 1));
  const parts = parameters.filter((each) => each.in === 'path').map((each) => ({ ...each, own: snake(each.name) }));
  const filters = parameters.filter((each) => each.in === 'query').map((each) => filterOf(each, operationId, models));
  const body = bodyOf(operation, models);
  const key = method === 'post' ? [KEY] : [];
  const named = [...body.members, ...filters, ...key].sort((one, other) => one.optional - other.optional);
  const all = [
    ...parts.map(({ own }) => own),
    ...body.positional.map(({ own }) => own),
    ...named.map(({ own }) => own),
  ];
  if (new Set(all).size < all.length) throw new Error(`${operationId} would have two arguments of one name`);
  const answer = answerOf(operation, models);
  const scope = operation['x-required-scope'];
  const meanings = [...parts, ...body.positional, ...named].flatMap(({ own, name: plain, description, schema }) => {
    const text = description ?? models.followed(schema ?? {}).description;
    return text === undefined ? [] : [[own ?? plain, text]];
  });
  return [
    `    ${isAsync ? 'async ' : ''}def ${name}(`,
    '        self,',
    ...parts.map(({ own }) => `        ${own}: str,`),
    ...body.positional.map(({ own, type }) => `        ${own}: ${type},`),
    ...(named.length > 0 ? ['        *,'] : []),
    ...named.map(({ own, type, optional, nullable }) => `        ${own}: ${argumentType(type, optional, nullable)},`),
    `    ) -> ${answer}:`,
    ...docstring(
      '        ',
      [summary, ...(scope === undefined ? [] : [`Needs the scope \`\`${scope}\`\`.`])],
      meanings,
    ),
    ...sending({ path, method, parts, filters, body, answer, isClass: models.isClass(answer), isAsync }),
  ];
}

const KEY = {
  own: 'idempotency_key',
  type: 'str',
  optional: true,
  nullable: false,
  description: 'Your own name of this request: the same name gets the same answer for a day.',
};

const argumentType = (type, optional, nullable) => {
  if (!optional) return type;
  return nullable ? `${union([type, 'Unset'])} = UNSET` : `${union([type, 'None'])} = None`;
};

function filterOf({ name, description, schema, required }, operationId, models) {
  const type = models.typeOf(schema, `${pascal(operationId)}${pascal(name)}`, 'models.', true);
  // An API of text has words for truth values.
  const isTruth = ['true', 'true,false'].includes((schema.enum ?? []).join());
  return {
    own: snake(name),
    key: name,
    type: isTruth ? 'bool' : type,
    optional: required !== true,
    nullable: false,
    description,
  };
}

/** The members of a body, as arguments; or the body itself, if it is no plain object. */
function bodyOf({ operationId, requestBody }, models) {
  const content = requestBody?.content ?? {};
  const schema = content['application/json']?.schema;
  if (schema === undefined) return { members: [], positional: [] };
  const target = models.followed(schema);
  const name = schema.$ref?.split('/').at(-1) ?? `${pascal(operationId)}Body`;
  const yaml = 'application/yaml' in content;
  if (target.properties === undefined || yaml) {
    const type = union([models.typeOf(schema, name, 'models.', true), 'Mapping[str, Any]', ...(yaml ? ['str'] : [])]);
    return { members: [], positional: [{ own: 'body', type, description: target.description }] };
  }
  const required = new Set(target.required ?? []);
  const members = Object.entries(target.properties).map(([key, member]) => {
    const type = models.typeOf(member, memberName(name, key), 'models.', true);
    const optional = !required.has(key) || 'default' in member;
    const description = member.description ?? models.followed(member).description;
    return { own: snake(key), key, type, optional, nullable: optional && type.endsWith('None'), description };
  });
  return { members, positional: [] };
}

/** The document of an answer; text that is more than one document stays text. */
function answerOf({ operationId, responses }, models) {
  const { default: _refusal, ...answers } = responses;
  const types = Object.values(answers).flatMap(({ content = {} }) => {
    const [type, media] = Object.entries(content).find(([each]) => /[/+]json$/.test(each)) ?? [];
    // A pack of evidence is checked byte by byte.
    if (Object.keys(content).length > 0 && (type === undefined || media.schema.$ref?.endsWith('/EvidencePack')))
      return ['str'];
    if (type === undefined) return ['None'];
    return [models.typeOf(media.schema, `${pascal(operationId)}Answer`, 'models.')];
  });
  return union(types);
}

function sending({ path, method, parts, filters, body, answer, isClass, isAsync }) {
  const fields = ({ own, key }) => `"${key}": ${own}`;
  const nullable = body.members.filter((member) => member.nullable).map(({ key }) => `"${key}"`);
  const lines = [
    `"${method.toUpperCase()}",`,
    `"${path}",`,
    ...(parts.length > 0 ? [`path={${parts.map(({ own, name }) => `"${name}": ${own}`).join(', ')}},`] : []),
    ...(filters.length > 0 ? [`query={${filters.map(fields).join(', ')}},`] : []),
    ...(body.positional.length > 0 ? ['body=body,'] : []),
    ...(body.members.length > 0
      ? [
          'body=members(',
          '    {',
          ...body.members.map((member) => `        ${fields(member)},`),
          '    },',
          ...(nullable.length > 0 ? [`    nullable=frozenset({${nullable.join(', ')}}),`] : []),
          '),',
        ]
      : []),
    ...(filters.some(({ own }) => own === 'wait_seconds') ? ['hold_seconds=wait_seconds or 0,'] : []),
    ...(method === 'post' ? ['idempotency_key=idempotency_key,'] : []),
  ];
  const call = ['call = Call(', ...lines.map((line) => `    ${line}`), ')'];
  const several = !isClass && !['str', 'None'].includes(answer);
  // A union is no type of its own for a type checker.
  const named = several ? `cast(Any, ${answer})` : answer === 'None' ? 'type(None)' : answer;
  const sent = `${isAsync ? 'await ' : ''}self._sender.send(${named}, call)`;
  const done = several ? [`answer: ${answer} = ${sent}`, 'return answer'] : [`return ${sent}`];
  return [...call, ...done].map((line) => `        ${line}`);
}
