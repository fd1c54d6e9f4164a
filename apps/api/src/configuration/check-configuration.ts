import { Inject, Injectable } from '@nestjs/common';
import { PutAutonomy } from '#lib/autonomy';
import {
  CONFIGURATION_PARTS,
  type Configuration,
  type ConfigurationCheck,
  type ConfigurationPart,
} from '#lib/contracts';
import { REHEARSALS } from '#lib/database';
import { FailureError, type Guarded, type PersonPrincipal, type Rehearsals, type Result } from '#lib/kernel';
import { ChangeCatalog } from '#lib/tool';
import { changeView } from '../autonomy/views.js';
import { problemOf, readDocumentBody, unwrap } from '../http/index.js';
import { readCatalog } from '../tool/catalog-body.js';
import { changePlanView } from '../tool/views.js';
import { ENVIRONMENTS, EXECUTORS } from './places-body.js';
import { PutPlaces } from './put-places.js';

/**
 * What a configuration would do, and what of it would be refused: it is carried out part by part in a transaction that is
 * rolled back, so that each part is checked against what the earlier ones would make.
 */
@Injectable()
export class CheckConfiguration {
  constructor(
    @Inject(REHEARSALS) private readonly rehearsals: Rehearsals,
    private readonly places: PutPlaces,
    private readonly catalog: ChangeCatalog,
    private readonly autonomy: PutAutonomy,
  ) {}

  execute(by: PersonPrincipal, configuration: Configuration, requestId: string): Promise<ConfigurationCheck> {
    return this.rehearsals.rehearse(by.tenantId, async (rehearsal) => {
      const found: ConfigurationCheck = {
        environments: null,
        tools: null,
        executors: null,
        autonomy: null,
        loosens: [],
        refused: null,
      };
      for (const part of CONFIGURATION_PARTS) {
        const text = configuration[part];
        if (text === undefined) continue;
        const before = rehearsal.loosens.length;
        try {
          await this.check(by, part, text, found);
        } catch (error) {
          if (!(error instanceof FailureError)) throw error;
          return { ...found, refused: { part, problem: problemOf(error.failure, requestId) } };
        }
        found.loosens.push(...rehearsal.loosens.slice(before).map((what) => ({ part, what })));
      }
      return found;
    });
  }

  private async check(
    by: PersonPrincipal,
    part: ConfigurationPart,
    text: string,
    found: ConfigurationCheck,
  ): Promise<void> {
    switch (part) {
      case 'environments':
        found.environments = await putPlaces(text, ENVIRONMENTS, (document) => this.places.environments(by, document));
        return;
      case 'executors':
        found.executors = await putPlaces(text, EXECUTORS, (document) => this.places.executors(by, document));
        return;
      case 'tools': {
        const read = unwrap(readCatalog(text));
        const put = async (dryRun: boolean) =>
          changePlanView(
            carriedOut(await this.catalog.execute(by, read.tools, { keep: 'others_go', dryRun }), read.locate),
            read.locate,
          );
        // What it would change is told even if plans hold a tool that it may not change.
        found.tools = await put(true);
        await put(false);
        return;
      }
      case 'autonomy': {
        const options = { dryRun: true, requireCurrent: () => undefined };
        found.autonomy = changeView(carriedOut(await this.autonomy.execute(by, text, options)), true);
        found.loosens.push(...found.autonomy.loosening.map((what) => ({ part, what })));
      }
    }
  }
}

/** Reads a document of places and puts it; a refusal says at which line. */
export async function putPlaces<T, Answer>(
  body: unknown,
  kind: Parameters<typeof readDocumentBody<T>>[1],
  put: (document: T) => Promise<Answer>,
): Promise<Answer> {
  const { document, locate } = unwrap(readDocumentBody(body, kind));
  try {
    return await put(document);
  } catch (error) {
    if (!(error instanceof FailureError) || error.failure.errors === undefined) throw error;
    throw new FailureError({ ...error.failure, errors: locate(error.failure.errors) }, { cause: error });
  }
}

/** A rehearsal waits for nobody. */
function carriedOut<T>(
  result: Result<Guarded<T>>,
  locate?: (errors: NonNullable<FailureError['failure']['errors']>) => NonNullable<FailureError['failure']['errors']>,
): T {
  if (!result.ok) {
    const { errors } = result.error;
    throw new FailureError({
      ...result.error,
      ...(errors === undefined || locate === undefined ? {} : { errors: locate(errors) }),
    });
  }
  if (result.value.outcome === 'waits') throw new Error('A rehearsal opened a change.');
  return result.value.value;
}
