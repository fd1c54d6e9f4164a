import type { ChangeRequestView } from '#lib/api-schemas';
import { affectedBy, type Paths } from './affected-paths.js';

/** The paths that pages read to show the result of a change. */
const SHOWN: Readonly<Record<ChangeRequestView['kind'], Paths>> = {
  autonomy: ['/v1/autonomy', '/v1/set-up'],
  tool_catalog: ['/v1/tools', '/v1/set-up'],
  role_assignment: ['/v1/people', '/v1/roles'],
  executor: ['/v1/environments', '/v1/set-up'],
  environment: ['/v1/environments'],
  factor_reset: ['/v1/people', '/v1/invitations'],
  sign_in: ['/v1/issuers', '/v1/sign-in/options'],
  enrolment: ['/v1/people', '/v1/invitations'],
  person_enabled: ['/v1/people'],
  agent_owner: ['/v1/agents'],
  incident_settings: ['/v1/incident-settings', '/v1/incident-destinations'],
  slack_app: ['/v1/slack', '/v1/set-up'],
  slack_workspace: ['/v1/slack', '/v1/set-up'],
  slack_routes: ['/v1/slack'],
  audit_retention: ['/v1/configuration/{name}'],
  audit_epoch: ['/v1/audit/checkpoint'],
  audit_key: ['/v1/audit/keys'],
  secret_binding: ['/v1/secrets'],
  runner: ['/v1/set-up'],
  automation_safe_tool: ['/v1/automation-safe-list', '/v1/automations/safe-tools'],
  webhook: ['/v1/webhooks'],
  lifecycle_hook: ['/v1/lifecycle-hooks'],
  siem_collector: ['/v1/siem-collector'],
  embedder: ['/v1/embedder'],
};

describe('the paths that pages read again', () => {
  it.each(Object.entries(SHOWN))('hold those of a decided change of %s', (_kind, paths) => {
    expect(affectedBy('change_request')).toEqual(expect.arrayContaining([...paths]));
  });

  it.each(['unknown', 'constructor'])('are none after an event that no page shows: %s', (type) => {
    expect(affectedBy(type)).toEqual([]);
  });
});
