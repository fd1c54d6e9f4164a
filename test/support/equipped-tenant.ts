import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { expectStatus, type HttpAs, type TestApi, type TestTenant } from './api.js';

/** A tool server that predicts one asset a target, for simulations. */
export async function predictingToolServer(): Promise<{
  readonly port: number;
  /** The `traceparent` of every call, in order. */
  readonly calledIn: readonly (string | null)[];
  close(): Promise<void>;
}> {
  const calledIn: (string | null)[] = [];
  const predictionFor = async (request: IncomingMessage): Promise<string> => {
    calledIn.push(request.headersDistinct.traceparent?.[0] ?? null);
    const call = (await json(request)) as { readonly arguments: { readonly targets: readonly string[] } };
    const result = {
      affected_assets: call.arguments.targets.length,
      estimated_duration_minutes: 1,
      predicted_risk: 'medium',
      health_check_points: ['error rate'],
      details: null,
    };
    return JSON.stringify({ ok: true, result });
  };
  const server = createServer((request, response) => {
    predictionFor(request).then(
      (prediction) => response.setHeader('content-type', 'application/json').end(prediction),
      () => response.destroy(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    calledIn,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Nothing but plans, except in production, where SRELeads approve. */
export const autonomyDocument = (requireTwoApprovers: boolean): string => `autonomy:
  mode: plan_only
  environments:
    production:
      mode: full_auto
      allowed_approvers: [SRELead]
      require_two_approvers: ${String(requireTwoApprovers)}
`;

/** A tenant with ADR-009's catalog, and the tool server at this port for production. */
export interface EquippedTenant {
  readonly tenant: TestTenant;
  readonly admin: HttpAs;
  /** As it was put. */
  readonly executor: { readonly kind: string; readonly url: string; readonly audience: string };
}

export async function equippedTenant(api: TestApi, toolServerPort: number): Promise<EquippedTenant> {
  const tenant = await api.tenant();
  const admin = api.http(tenant.admin.token);
  expectStatus(await admin.put('/v1/tools', readFileSync('catalog/adr-009.yaml', 'utf8')), 200);
  const executor = { kind: 'http', url: `http://127.0.0.1:${String(toolServerPort)}/tools`, audience: 'fleet' };
  expectStatus(await admin.put('/v1/environments/production/executors/fleet', executor), 200);
  return { tenant, admin, executor };
}
