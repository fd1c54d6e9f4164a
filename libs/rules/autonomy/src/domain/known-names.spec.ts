import { unknownNames } from './known-names.js';
import { readDocument } from './read-document.js';

const KNOWN = { environments: ['staging'], tools: ['restart'], roles: ['Oncall'] };

/** The unknown names of a document: the place, the line, the message and the suggestion. */
function unknownIn(source: string) {
  const read = readDocument(source);
  if (!read.ok) throw new Error(JSON.stringify(read.error));
  return unknownNames(read.value, KNOWN).map(({ pointer, code, line, message, suggestion }) => [
    ...[pointer, code.replace('autonomy.', ''), line, message.split('"')[1]],
    ...(suggestion === undefined ? [] : [suggestion]),
  ]);
}

const AUTONOMY = 'autonomy:\n  mode: plan_only\n';

describe('the names in a document', () => {
  it('are known', () => {
    expect(
      unknownIn(`${AUTONOMY}  allowed_approvers: [any, SRELead, Oncall]
  environments:
    staging: { mode: plan_only, allowed_approvers: [any] }
  tool_overrides:
    restart: { mode: plan_only }
`),
    ).toEqual([]);
  });

  it('are named with their places if they are unknown, and the nearest known one', () => {
    expect(
      unknownIn(`${AUTONOMY}  allowed_approvers: [SRELeed]
  environments:
    stagign:
      mode: plan_only
      quorum:
        - { count: 1, roles: [any, Nobody] }
  tool_overrides:
    restrat:
      mode: plan_only
`),
    ).toEqual([
      ['/autonomy/environments/stagign', 'unknown_environment', 5, 'stagign', 'staging'],
      ['/autonomy/tool_overrides/restrat', 'unknown_tool', 10, 'restrat', 'restart'],
      ['/autonomy/allowed_approvers/0', 'unknown_role', 3, 'SRELeed', 'SRELead'],
      ['/autonomy/environments/stagign/quorum/0/roles/1', 'unknown_role', 8, 'Nobody'],
    ]);
  });

  it('are those of freezes, too', () => {
    expect(
      unknownIn(`${AUTONOMY}freezes:
  - name: holidays
    time_zone: UTC
    from: 2026-12-24T00:00
    until: 2026-12-27T00:00
    environments: [staging, elsewhere]
    tools: [restart, nothing]
    may_pass: [SRELead, any]
`),
    ).toEqual([
      ['/freezes/0/environments/1', 'unknown_environment', 8, 'elsewhere'],
      ['/freezes/0/tools/1', 'unknown_tool', 9, 'nothing'],
      ['/freezes/0/may_pass/1', 'unknown_role', 10, 'any'],
    ]);
  });

  it('are those of an escalation, and of an emergency without "any"', () => {
    expect(
      unknownIn(`${AUTONOMY}  environments:
    staging:
      mode: plan_only
      escalation: { after_minutes: 5, to: [SRELead, Nobody] }
emergency_override:
  enabled: true
  allowed_roles: [any]
  notifies: ["#incidents"]
`).map(([pointer]) => pointer),
    ).toEqual(['/autonomy/environments/staging/escalation/to/1', '/emergency_override/allowed_roles/0']);
  });
});
