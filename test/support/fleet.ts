import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { toolCatalogSchema, type ToolDefinition } from '#lib/formats';
import { grantVerifier } from '#lib/sdk';
import { fleetServer } from '../../apps/fleet/src/fleet-server.js';
import { Ledger, type LedgerEntry } from '../../apps/fleet/src/ledger.js';
import { completeDefinition } from '../../libs/registry/tool/src/domain/complete-definition.js';

/** The example fleet, as its own program starts it. It verifies grants with the issuer's keys and has them redeemed there. */
export interface Fleet {
  readonly url: string;
  /** Its ledger, asked for over HTTP as anybody may. */
  ledger(): Promise<readonly LedgerEntry[]>;
  /** The image that each server runs, by name. */
  images(): Promise<ReadonlyMap<string, string>>;
  close(): Promise<void>;
}

export async function startFleet(issuer: string, tenant: string): Promise<Fleet> {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-fleet-'));
  const ledger = Ledger.open(join(folder, 'ledger.jsonl'));
  const verifyGrant = grantVerifier({
    issuer,
    audience: 'fleet',
    tenants: [tenant],
    environments: ['staging'],
    replay: 'redeem',
  });
  const server = fleetServer({ ledger, verifyGrant, allowFaults: false });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  const read = async (path: string): Promise<unknown> => (await fetch(`${url}${path}`)).json();
  return {
    url,
    ledger: async () => ((await read('/ledger')) as { entries: LedgerEntry[] }).entries,
    images: async () => {
      const { assets } = (await read('/assets')) as { assets: { name: string; image: string }[] };
      return new Map(assets.map(({ name, image }) => [name, image]));
    },
    close: async () => {
      await new Promise<void>((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      });
      ledger.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A tool of the fleet's catalog, with a test's own changes. */
export function fleetTool(name: string, changes: Partial<ToolDefinition> = {}): ToolDefinition {
  const { tools } = toolCatalogSchema.parse(parse(readFileSync('catalog/adr-009.yaml', 'utf8')));
  const document = tools[name];
  if (document === undefined) throw new Error(`the catalog has no ${name}`);
  const completed = completeDefinition(name, document, '');
  if (!completed.ok) throw new Error(JSON.stringify(completed.error));
  return { ...completed.value, ...changes };
}
