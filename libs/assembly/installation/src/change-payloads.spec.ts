import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Json } from '#lib/canonical';
import { RotateAuditKey, SetPayloadRetention, StartEpoch } from '#lib/audit';
import { AcceptTool } from '#lib/automation';
import { PutAutonomy } from '#lib/autonomy';
import { ChangeConnection, type ConnectionKind, type KindSettings } from '#lib/connection';
import { AssignRole, ChangeAgent, ChangePerson, IssueEnrolment } from '#lib/identity';
import { ChangeIncidentSettings } from '#lib/incident';
import type { CarriesOutChange, ChangeKind } from '#lib/kernel';
import { ResetFactors } from '#lib/mfa';
import { AddRunner } from '#lib/runner-pool';
import { PutSignInSettings } from '#lib/sign-in';
import { PutSlackApp, RouteSlack, SlackSetUp } from '#lib/slack';
import { BindSecret, ChangeEnvironment } from '#lib/tenancy';
import { ChangeCatalog, PutExecutor } from '#lib/tool';
import { ChangeHooks } from '#lib/lifecycle-hook';
import { EMBEDDER } from '#lib/embedder';
import { SIEM_COLLECTOR } from '#lib/siem';
import { ChangeEndpoint } from '#lib/webhook';

interface Golden {
  readonly payload: Json;
  readonly schema: unknown;
}

type UseCase = new (...ports: never[]) => CarriesOutChange;

/** The change of a kind of connection, without its ports. */
const changeOf = <S extends KindSettings>(kind: ConnectionKind<S>): UseCase =>
  class extends ChangeConnection<S> {
    constructor(uow: never, parts: never) {
      super(uow, kind, parts);
    }
  };

/** The use case that writes each kind of change, as compose.ts has it. */
const USE_CASES: Readonly<Record<ChangeKind, UseCase>> = {
  autonomy: PutAutonomy,
  tool_catalog: ChangeCatalog,
  role_assignment: AssignRole,
  executor: PutExecutor,
  environment: ChangeEnvironment,
  factor_reset: ResetFactors,
  sign_in: PutSignInSettings,
  enrolment: IssueEnrolment,
  person_enabled: ChangePerson,
  agent_owner: ChangeAgent,
  incident_settings: ChangeIncidentSettings,
  slack_app: PutSlackApp,
  slack_workspace: SlackSetUp,
  slack_routes: RouteSlack,
  audit_retention: SetPayloadRetention,
  audit_epoch: StartEpoch,
  audit_key: RotateAuditKey,
  secret_binding: BindSecret,
  runner: AddRunner,
  automation_safe_tool: AcceptTool,
  webhook: ChangeEndpoint,
  lifecycle_hook: ChangeHooks,
  siem_collector: changeOf(SIEM_COLLECTOR),
  embedder: changeOf(EMBEDDER),
};

const folder = join(__dirname, 'golden');
const golden = (kind: string): Golden =>
  JSON.parse(readFileSync(join(folder, `${kind}-payload.v1.json`), 'utf8')) as Golden;

/** Stands in for each port: no use case is executed here. */
const absent: unknown = new Proxy(() => absent, { get: () => absent });
const payloadOf = (useCase: UseCase): z.ZodType =>
  new useCase(...(Array.from({ length: 12 }, () => absent) as never[])).payload as z.ZodType;

/** A JSON Schema without its descriptions, which no reader of a payload depends on. */
const withoutWords = (schema: unknown): unknown =>
  JSON.parse(
    JSON.stringify(schema, (key, value: unknown) =>
      key === 'description' && typeof value === 'string' ? undefined : value,
    ),
  );

describe.each(Object.entries(USE_CASES))('the payload of a change request: %s', (kind, useCase) => {
  it('is read from its golden file, with nothing added', () => {
    expect(payloadOf(useCase).parse(golden(kind).payload)).toEqual(golden(kind).payload);
  });

  it('keeps its recorded JSON Schema, since another would refuse open change requests', () => {
    expect(withoutWords(z.toJSONSchema(payloadOf(useCase), { io: 'input' }))).toEqual(golden(kind).schema);
  });
});

it('each golden payload belongs to a kind of change', () => {
  expect(readdirSync(folder).sort()).toEqual(
    Object.keys(USE_CASES)
      .map((kind) => `${kind}-payload.v1.json`)
      .sort(),
  );
});
