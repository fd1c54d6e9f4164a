import type { CallOf } from '#lib/client';

/** A document of the configuration that is edited as YAML. */
export interface Part {
  /** The last part of its address. */
  readonly name: 'tools' | 'environments' | 'executors';
  readonly title: string;
  readonly meta: string;
  readonly label: string;
  /** Its destination. */
  readonly path: '/v1/tools' | '/v1/configuration/environments' | '/v1/configuration/executors';
  readonly schema: CallOf<'get', '/v1/schemas/{name}'>['path']['name'];
  /** The text of an empty document, as an example to change. */
  readonly first: string;
}

export const PARTS: readonly Part[] = [
  {
    name: 'tools',
    title: 'Tool catalog',
    meta: 'What agents may ask for. A tool that the catalog leaves out is removed.',
    label: 'Tool catalog, YAML',
    path: '/v1/tools',
    schema: 'tool-catalog',
    first: `tools:
  restart_service:
    description: Restarts one service
    risk: state_change_nonprod
    idempotent: true
    scope: asset
    executor: default
    parameters:
      type: object
      properties:
        name: { type: string }
      required: [name]
      additionalProperties: false
`,
  },
  {
    name: 'environments',
    title: 'Environments',
    meta: 'Where agents may act. An environment that the document leaves out stays as it is.',
    label: 'Environments, YAML',
    path: '/v1/configuration/environments',
    schema: 'environments',
    first: `environments:
  staging: { production: false }
  production: { production: true }
`,
  },
  {
    name: 'executors',
    title: 'Executors',
    meta: 'What carries out tools, by environment. An executor that the document leaves out stays as it is.',
    label: 'Executors, YAML',
    path: '/v1/configuration/executors',
    schema: 'executors',
    first: `executors:
  staging:
    default: { kind: http, url: 'https://tools.example.com/tools' }
`,
  },
];
