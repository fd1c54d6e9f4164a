import type { Json, JsonObject } from '#lib/canonical';
import { maskSecrets, type LoggedEvent, type TenantId } from '#lib/kernel';
import { eventsOf, factsToSend, type ReportedCall } from '#lib/webhook';
import { ocsfKindOf } from './ocsf-activity.js';

/** The version of the schema that the lines follow. */
const OCSF_VERSION = '1.5.0';
const API_ACTIVITY = 6_003;
/** A longer line leaves out facts, arguments and answers, in bytes. */
const MAX_LINE = 131_072;
/** The accounts of persons, agents and the system itself, as the schema numbers them. */
const USER_TYPES = { person: 1, agent: 99, system: 3 } as const;
const OTHER = 99;

/** The tenant of a line. */
export interface OcsfTenant {
  readonly id: TenantId;
  readonly slug: string;
}

/**
 * An entry of the audit log as one line of JSON without its end. It is an event of the class API Activity (6003) of
 * OCSF 1.5.0. `metadata.uid` is the id of the entry, by which a SIEM finds repetitions. Null for an entry that is no
 * event for other systems.
 *
 * @param call the call of a tool that it tells of.
 */
export function ocsfLine(tenant: OcsfTenant, logged: LoggedEvent, call: ReportedCall | undefined): string | null {
  const [event] = eventsOf(logged);
  if (event === undefined) return null;
  const line = JSON.stringify(activity(tenant, logged, event, call, true));
  return Buffer.byteLength(line) > MAX_LINE ? JSON.stringify(activity(tenant, logged, event, call, false)) : line;
}

function activity(
  tenant: OcsfTenant,
  logged: LoggedEvent,
  event: string,
  call: ReportedCall | undefined,
  whole: boolean,
): JsonObject {
  const { id, action, actor, subject, within, occurredAt } = logged;
  const kind = ocsfKindOf(logged);
  return {
    category_uid: 6,
    category_name: 'Application Activity',
    class_uid: API_ACTIVITY,
    class_name: 'API Activity',
    activity_id: kind.activity.id,
    activity_name: kind.activity.name,
    type_uid: API_ACTIVITY * 100 + kind.activity.id,
    type_name: `API Activity: ${kind.activity.id === OTHER ? 'Other' : kind.activity.name}`,
    time: occurredAt,
    severity_id: kind.severity.id,
    severity: kind.severity.name,
    status_id: kind.status.id,
    status: kind.status.name,
    message: `${actor.display_name}: ${event}`,
    metadata: {
      version: OCSF_VERSION,
      product: { name: 'Countersign', vendor_name: 'Countersign' },
      uid: id,
      event_code: action,
      log_name: 'audit',
      tenant_uid: tenant.id,
      correlation_uid: within[0]?.id ?? subject.id,
    },
    actor: { user: userOf(tenant, actor) },
    api: {
      operation: event,
      service: { name: 'Countersign', uid: 'countersign', version: 'v1' },
      ...called(call, logged, whole),
    },
    src_endpoint: { svc_name: 'countersign', name: actor.display_name },
    resources: [
      { type: subject.type, uid: subject.id },
      ...(call === undefined ? [] : [{ type: 'tool', uid: call.tool, name: call.tool }]),
      ...within.map(({ type, id: uid }) => ({ type, uid })),
    ],
    unmapped: { on_behalf_of: actor.on_behalf_of, facts: whole ? factsToSend(logged) : null },
  };
}

const userOf = ({ id, slug }: OcsfTenant, actor: LoggedEvent['actor']): JsonObject => ({
  uid: actor.id,
  name: actor.display_name,
  type_id: USER_TYPES[actor.kind],
  type: actor.kind,
  account: { uid: id, name: slug, type_id: OTHER, type: 'Countersign workspace' },
});

/** The arguments and the answer of a tool's call, masked. Both are objects there. */
function called(call: ReportedCall | undefined, { subject }: LoggedEvent, whole: boolean): JsonObject {
  if (call === undefined) return {};
  const parameters: Json = whole ? maskSecrets(call.parameters) : null;
  const output: Json = whole ? maskSecrets(call.output) : null;
  return {
    request: { uid: subject.id, data: { tool: call.tool, parameters } },
    response: { data: { output } },
  };
}
