import type { AdmittedChange, TwoPersonRule, Tx } from '#lib/kernel';
import type { SlackRoutes } from '../domain/loosened-routes.js';
import type { SlackInstallations } from './slack.ports.js';

/** The base of a change of the app. */
export const appBase = (app: { readonly writtenAt: number } | null) => ({ written_at: app?.writtenAt ?? null });

/** The base of an installation. */
export const workspaceBase = (
  app: { readonly writtenAt: number } | null,
  installation: { readonly installedAt: number } | null,
) => ({ app_written_at: app?.writtenAt ?? null, installed_at: installation?.installedAt ?? null });

/** The base of a change of the routes. */
export const routesBase = ({ channels, onDuty }: SlackRoutes) => ({ channels: { ...channels }, on_duty: [...onDuty] });

/** Voids change requests on an earlier Slack set-up: app, workspace or routes. */
export async function outdateSlack(
  tx: Tx,
  {
    twoPersonRule,
    installations,
  }: { readonly twoPersonRule: TwoPersonRule; readonly installations: SlackInstallations },
  by: Pick<AdmittedChange, 'actor' | 'provenance'>,
): Promise<void> {
  const app = await installations.lockApp(tx);
  const settings = await installations.settings(tx);
  const why = 'The Slack set-up was changed meanwhile.';
  await twoPersonRule.outdate(tx, by, { kind: 'slack_app', why, base: () => appBase(app) });
  await twoPersonRule.outdate(tx, by, {
    kind: 'slack_workspace',
    why,
    base: () => workspaceBase(app, settings.installation),
  });
  await twoPersonRule.outdate(tx, by, { kind: 'slack_routes', why, base: () => routesBase(settings) });
}
