/** A document of the configuration that is edited as YAML. */
export interface Part {
  readonly title: string;
  readonly meta: string;
  readonly label: string;
  /** Where it is put. */
  readonly path: string;
  readonly schemaPath: string;
  /** What an empty one begins with, as an example that somebody changes. */
  readonly first: string;
}

/** By the last part of their address. */
export const PARTS: ReadonlyMap<string, Part> = new Map(
  Object.entries({
    tools: {
      title: 'Tool catalog',
      meta: 'What agents may ask for. A tool that the catalog leaves out is removed.',
      label: 'Tool catalog, YAML',
      path: '/v1/tools',
      schemaPath: '/v1/schemas/tool-catalog',
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
    environments: {
      title: 'Environments',
      meta: 'Where agents may act. An environment that the document leaves out stays as it is.',
      label: 'Environments, YAML',
      path: '/v1/configuration/environments',
      schemaPath: '/v1/schemas/environments',
      first: `environments:
  staging: { production: false }
  production: { production: true }
`,
    },
    executors: {
      title: 'Executors',
      meta: 'What carries out tools, by environment. An executor that the document leaves out stays as it is.',
      label: 'Executors, YAML',
      path: '/v1/configuration/executors',
      schemaPath: '/v1/schemas/executors',
      first: `executors:
  staging:
    default: { kind: http, url: 'https://tools.example.com/tools' }
`,
    },
  }),
);
