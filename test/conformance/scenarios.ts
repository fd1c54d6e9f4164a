/** The revision of the specification that the suite is asked for, with its extensions. */
export const REVISION = '2026-07-28';

/** The scenarios for servers that pass without a failure. */
export const PASSING: readonly string[] = [
  'server-stateless',
  'completion-complete',
  'tools-list',
  'tools-call-simple-text',
  'tools-call-image',
  'tools-call-audio',
  'tools-call-embedded-resource',
  'tools-call-mixed-content',
  'tools-call-error',
  'tools-call-with-progress',
  'server-sse-multiple-streams',
  'resources-list',
  'resources-read-text',
  'resources-read-binary',
  'resources-templates-read',
  'sep-2164-resource-not-found',
  'prompts-list',
  'prompts-get-simple',
  'prompts-get-with-args',
  'prompts-get-embedded-resource',
  'prompts-get-with-image',
  'caching',
  'input-required-result-basic-elicitation',
  'input-required-result-basic-sampling',
  'input-required-result-basic-list-roots',
  'input-required-result-request-state',
  'input-required-result-multiple-input-requests',
  'input-required-result-multi-round',
  'input-required-result-missing-input-response',
  'input-required-result-non-tool-request',
  'input-required-result-result-type',
  'input-required-result-unsupported-methods',
  'input-required-result-tampered-state',
  'input-required-result-capability-check',
  'input-required-result-ignore-extra-params',
  'input-required-result-validate-input',
  'tasks-lifecycle',
  'tasks-capability-negotiation',
  'tasks-wire-fields',
  'tasks-request-state-removal',
  'tasks-mrtr-input',
  'tasks-request-headers',
  'tasks-dispatch-and-envelope',
  'tasks-mrtr-composition',
  'json-schema-2020-12',
  'http-header-validation',
  'http-custom-header-server-validation',
];

/** The scenarios that are left out, each with its reason. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  'dns-rebinding-protection':
    'It is about local servers that ask for no token. The endpoint takes no request without one, and refuses foreign origins: test/e2e/mcp.spec.ts.',
  'tasks-required-task-error':
    'It needs a tool that works by a task alone. Every tool of Countersign answers without one, too.',
  'tasks-status-notifications':
    'The suite skips it. The notifications are optional, and a client of Countersign polls.',
};
