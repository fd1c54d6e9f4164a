import { ownMember } from '#lib/canonical';
import type { LedgerEntry } from './ledger.js';

/** One simulated web server. */
export interface Asset {
  readonly name: string;
  readonly environment: string;
  readonly family: 'web';
  readonly image: string;
  readonly healthy: boolean;
  /** Whether it answers its health check at all. */
  readonly answers: boolean;
}

/** The faults to inject, so that people can watch how they are dealt with: servers become unhealthy, or silent. */
export interface Fault {
  readonly assets: readonly string[];
  /** The image that makes them so; at once if it is left out. */
  readonly image?: string | undefined;
  readonly effect: 'unhealthy' | 'silent';
}

export interface Alert {
  readonly id: string;
  readonly asset: string;
  readonly severity: 'info' | 'warning' | 'critical';
  readonly summary: string;
  readonly state: 'firing' | 'acknowledged';
}

export interface FleetState {
  readonly assets: ReadonlyMap<string, Asset>;
  readonly alerts: ReadonlyMap<string, Alert>;
  readonly firewall: ReadonlyMap<string, string>;
  readonly activeRegion: string;
  readonly faults: readonly Fault[];
}

/** The image that every server should run, and the one that they run when the fleet is new. The difference is the drift. */
export const GOLDEN_IMAGE = 'web-2026.11';
export const FORMER_IMAGE = 'web-2026.08';

const SIZES: Readonly<Record<string, number>> = { production: 47, staging: 12, development: 6 };
const PREFIXES: Readonly<Record<string, string>> = { production: 'web', staging: 'stage-web', development: 'dev-web' };

/** The fleet before anything was done to it: 47 production servers, 12 in staging and 6 in development, all drifted. */
export function newFleet(): FleetState {
  const assets = Object.entries(SIZES).flatMap(([environment, size]) =>
    Array.from({ length: size }, (_, index): Asset => {
      const name = `${ownMember(PREFIXES, environment) ?? environment}-${String(index + 1).padStart(2, '0')}`;
      return { name, environment, family: 'web', image: FORMER_IMAGE, healthy: true, answers: true };
    }),
  );
  const alerts: Alert[] = [
    {
      id: 'alert-1',
      asset: 'web-07',
      severity: 'warning',
      summary: 'TLS certificate expires in 12 days',
      state: 'firing',
    },
    { id: 'alert-2', asset: 'web-19', severity: 'critical', summary: 'Disk is 86 percent full', state: 'firing' },
  ];
  return {
    assets: new Map(assets.map((asset) => [asset.name, asset])),
    alerts: new Map(alerts.map((alert) => [alert.id, alert])),
    firewall: new Map([['edge', 'allow tcp 443 from 0.0.0.0/0']]),
    activeRegion: 'eu-central-1',
    faults: [],
  };
}

/** The fleet after one more entry of its ledger: the ledger on disk is its whole memory. */
export function afterEntry(state: FleetState, { tool, arguments: given, repeats }: LedgerEntry): FleetState {
  if (repeats !== null) return state;
  switch (tool) {
    case 'execute_rollout_prod':
    case 'execute_rollout_nonprod':
      // The schema of the tool has checked the arguments.
      return rolledOut(state, given.targets as string[], given.image as string);
    case 'acknowledge_alert': {
      // The schema of the tool has checked the arguments.
      const alert = state.alerts.get(given.alert_id as string);
      if (alert === undefined) return state;
      return { ...state, alerts: new Map(state.alerts).set(alert.id, { ...alert, state: 'acknowledged' }) };
    }
    case 'trigger_dr_failover':
      // The schema of the tool has checked the arguments.
      return { ...state, activeRegion: given.to_region as string };
    case 'modify_firewall':
      return {
        ...state,
        // The schema of the tool has checked the arguments.
        firewall: new Map(state.firewall).set(given.rule_set as string, ruleText(given)),
      };
    case 'restart_service_nonprod':
      // The schema of the tool has checked the arguments.
      return changed(state, given.targets as string[], () => WELL);
    case 'inject_fault':
      // The server checked the fault before it wrote the record.
      return broken(state, given as unknown as Fault);
    default:
      return state;
  }
}

const WELL = { healthy: true, answers: true };

/** An image breaks servers once they get it, and a fault without one does so at once. */
function broken(state: FleetState, fault: Fault): FleetState {
  return fault.image === undefined
    ? changed(state, fault.assets, () => conditionAfter([fault.effect]))
    : { ...state, faults: [...state.faults, fault] };
}

function rolledOut(state: FleetState, names: readonly string[], image: string): FleetState {
  return changed(state, names, ({ name }) => {
    const faults = state.faults.filter((fault) => fault.image === image && fault.assets.includes(name));
    return { image, ...conditionAfter(faults.map(({ effect }) => effect)) };
  });
}

const conditionAfter = (effects: readonly Fault['effect'][]): Pick<Asset, 'healthy' | 'answers'> => ({
  healthy: !effects.includes('unhealthy'),
  answers: !effects.includes('silent'),
});

function changed(state: FleetState, names: readonly string[], change: (asset: Asset) => Partial<Asset>): FleetState {
  const assets = new Map(state.assets);
  for (const name of names) {
    const asset = assets.get(name);
    if (asset !== undefined) assets.set(name, { ...asset, ...change(asset) });
  }
  return { ...state, assets };
}

/** A firewall rule as the fleet writes it down. */
export function ruleText(rule: Readonly<Record<string, unknown>>): string {
  return `${String(rule.action)} tcp ${String(rule.port)} from ${String(rule.source)}`;
}
