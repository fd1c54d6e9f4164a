import type { Inspect } from '../inspection.js';

/** A template of text and of fields that hold no environment: `{{.State.Status}}`, `{{json .Mounts}}`. */
const HARMLESS =
  /^(?:[^{}]|\{\{ *(?:json +)?\.(?:Id|Name|Created|Image|State|RestartCount|Platform|Driver|Mounts|NetworkSettings|RepoTags|RepoDigests|Architecture|Os|Size|CreatedAt|UpdatedAt)(?:\.[A-Za-z0-9]+)* *\}\})*$/;

/** Everything about a container, an image or a service holds its environment variables, and these hold passwords by custom. */
export const containerDetails: Inspect = (_words, _row, call) => {
  const formats = call.options.filter(({ name }) => name === '-f' || name === '--format');
  const harmless = formats.length > 0 && formats.every(({ value }) => HARMLESS.test(value?.value ?? '{{.}}'));
  if (harmless) return [];
  return [
    {
      kind: 'effect',
      class: 'READ_ONLY',
      tier: 2,
      code: 'shell.reads_secret',
      does: "shows environment variables, which may hold secrets; --format '{{.State.Status}}' shows one field",
    },
  ];
};
