import type { Configuration } from '#lib/api-schemas';
import type { ProposedConfiguration } from '#lib/impact';
import { ok, type Result } from '#lib/kernel';
import { ENVIRONMENTS } from '../configuration/document-kinds.js';
import { readDocumentBody } from '../http/index.js';
import { readCatalog } from '../tool/catalog-body.js';

/** The documents of a configuration that policies are told of. Executors are not among them. */
export function proposedConfiguration({ autonomy, tools, environments }: Configuration): Result<ProposedConfiguration> {
  const catalog = tools === undefined ? null : readCatalog(tools);
  if (catalog?.ok === false) return catalog;
  const named = environments === undefined ? null : readDocumentBody(environments, ENVIRONMENTS);
  if (named?.ok === false) return named;
  return ok({
    ...(autonomy === undefined ? {} : { autonomy }),
    ...(catalog === null ? {} : { tools: catalog.value.tools }),
    ...(named === null
      ? {}
      : {
          environments: Object.fromEntries(
            Object.entries(named.value.document.environments).map(([name, { production }]) => [name, production]),
          ),
        }),
  });
}
