import { renderCommandLine } from './render-cli.mjs';
import { renderReference } from './render-reference.mjs';

const PAGES = {
  task: {
    title: 'The task',
    intro:
      'A task says what an agent wants, in one environment. Submit it with `countersign submit task FILE` or `POST /v1/tasks`; [its JSON Schema](../../schemas/task.schema.json) is served at `/v1/schemas/task`.',
  },
  plan: {
    title: 'The plan',
    intro:
      'A plan says how: phases of steps, each a call of a tool. Countersign expands it into concrete batches and calls; people approve that expansion, and nothing else is executed. Submit it with `countersign submit plan TASK FILE` or `POST /v1/tasks/{id}/plans`; [its JSON Schema](../../schemas/plan.schema.json) is served at `/v1/schemas/plan`.',
  },
  autonomy: {
    title: 'The autonomy document',
    intro:
      'One YAML document a tenant says how far agents go alone, where, and who approves the rest. Write it in the browser under Autonomy, or with `countersign apply`; [its JSON Schema](../../schemas/autonomy.schema.json) is served at `/v1/schemas/autonomy`. A looser document waits for a second admin; a stricter one is in force at once.',
  },
  'tool-catalog': {
    title: 'The tool catalog',
    intro:
      'The catalog names every tool that plans may call. Write it with `countersign apply`; [its JSON Schema](../../schemas/tool-catalog.schema.json) is served at `/v1/schemas/tool-catalog`. A member that is absent takes the strictest reading.',
  },
  environments: {
    title: 'The environments document',
    intro:
      'The document adds environments and says which of them are production. Write it in the browser under Settings, Environments, or with `countersign apply`; [its JSON Schema](../../schemas/environments.schema.json) is served at `/v1/schemas/environments`. An environment that it leaves out stays as it is.',
  },
  executors: {
    title: 'The executors document',
    intro:
      'The document says what carries out tools, by environment. Write it in the browser under Settings, Environments, or with `countersign apply`; [its JSON Schema](../../schemas/executors.schema.json) is served at `/v1/schemas/executors`. An executor that it leaves out stays as it is.',
  },
  automation: {
    title: 'The automation',
    intro:
      'An automation says what Countersign does while nobody watches, and when. Propose it with `countersign automation propose FILE` or `POST /v1/automations`; [its JSON Schema](../../schemas/automation.schema.json) is served at `/v1/schemas/automation`. An admin enables it.',
  },
  'lifecycle-hooks': {
    title: 'The lifecycle hooks document',
    intro:
      'One YAML document a tenant says what is done at events. Write it in the browser under Settings, Lifecycle hooks, or with `countersign lifecycle-hook put FILE`; [its JSON Schema](../../schemas/lifecycle-hooks.schema.json) is served at `/v1/schemas/lifecycle-hooks`. [Lifecycle hooks](../lifecycle-hooks.md) explains events and placeholders.',
  },
};

/**
 * Every generated file by its path in the repository.
 *
 * @param {(name: string) => Record<string, any>} schemaOf the JSON Schema of a document.
 * @param {((out: (text: string) => void) => import('commander').Command)[]} programs those with a command line, writing there.
 * @returns {Record<string, string>}
 */
export const referenceFiles = (schemaOf, ...programs) => ({
  'docs/reference/cli.md': renderCommandLine(...programs),
  ...Object.fromEntries(
    Object.entries(PAGES).flatMap(([name, page]) => {
      const schema = schemaOf(name);
      return [
        [`schemas/${name}.schema.json`, `${JSON.stringify(schema, null, 2)}\n`],
        [`docs/reference/${name}.md`, renderReference({ ...page, schema })],
      ];
    }),
  ),
});
