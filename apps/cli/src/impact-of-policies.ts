import type { ImpactReportView } from '#lib/api-schemas';
import { databaseConfigFrom, openDatabase, packageRoot } from '#lib/database';
import { FailureError } from '#lib/kernel';
import { compose, ENTITIES, installationConfigFrom } from '#lib/installation';
import { toLookAt } from '#lib/impact';
import { loadPolicyEngine } from '#lib/policy';
import { impactReportView } from '../../api/src/impact/impact-views.js';
import { CommandError, EXIT } from './exit-codes.js';
import { progressReporter } from './views/impact-progress.js';

const ignore = (): void => undefined;

export interface PoliciesAsked {
  /** The `policies` folder of another version, with its compiled bundle. */
  readonly folder: string;
  readonly tenant: string | undefined;
  readonly days: number;
}

/** Takes the decisions of a tenant again with the policies of another version, on the database itself. */
export async function impactOfPolicies(
  { folder, tenant, days }: PoliciesAsked,
  note: (text: string) => void,
): Promise<{ readonly report: ImpactReportView; readonly publicUrl: string }> {
  const engine = engineOf(folder);
  const root = packageRoot();
  const database = await openDatabase(databaseConfigFrom(process.env, root), {
    applicationName: 'countersign-impact',
    entities: ENTITIES,
    poolSize: 2,
    onError: ignore,
  });
  try {
    const config = installationConfigFrom(process.env, root);
    const { signIn, impact } = await compose(config, database);
    const tenants = signIn.tenantDirectory;
    const tenantId = await (tenant === undefined ? tenants.only() : tenants.bySlug(tenant));
    if (tenantId === null)
      throw new CommandError(
        EXIT.usage,
        tenant === undefined ? 'There is no tenant, or more than one.' : 'There is no such tenant.',
        'Say which: --tenant SLUG.',
        [],
        'impact.tenant',
      );
    const other = {
      bundleRevision: engine.bundle.revision,
      evaluate: (...[entrypoint, input]: Parameters<typeof engine.evaluate>) =>
        engine.evaluate(entrypoint, input).decision,
    };
    const tell = progressReporter(note);
    const named = await impact.impactOfPolicies.execute(tenantId, other, days, ({ progress }) => {
      tell({ looked: progress.tally.looked, to_look_at: toLookAt(progress) }, 0);
    });
    return { report: impactReportView(named), publicUrl: config.publicUrl };
  } finally {
    await database.close();
  }
}

/** @throws {CommandError} if the folder holds no policies that can be evaluated. */
function engineOf(folder: string) {
  try {
    return loadPolicyEngine(folder);
  } catch (error) {
    // It has a code of its own.
    if (error instanceof FailureError) throw error;
    throw new CommandError(
      EXIT.usage,
      `${folder} holds no policies that can be evaluated: ${error instanceof Error ? error.message : String(error)}`,
      'Name the `policies` folder of a version, in which `npm run policies` has compiled bundle/policy.wasm.',
      [],
      'impact.policies_unreadable',
    );
  }
}
