import { Inject, Injectable } from '@nestjs/common';
import { PutAutonomy } from '#lib/autonomy';
import {
  CONFIGURATION_PARTS,
  type Configuration,
  type ConfigurationCheck,
  type ConfigurationPart,
} from '#lib/api-schemas';
import type { Database } from '#lib/database';
import { FailureError, type Failure, type Guarded, type PersonPrincipal, type Result } from '#lib/kernel';
import { ChangeCatalog } from '#lib/tool';
import { changeView } from '../autonomy/views.js';
import { DATABASE, problemOf, readDocumentBody, unwrap, type DocumentBody, type DocumentKind } from '../http/index.js';
import { readCatalog } from '../tool/catalog-body.js';
import { changePlanView } from '../tool/views.js';
import { ENVIRONMENTS, EXECUTORS } from './document-kinds.js';
import { PutDocuments } from './put-documents.js';

/**
 * Checks a configuration: applies it part by part in a transaction that is rolled back. Each part meets the results of the
 * earlier ones. The answer lists the changes of each part, or the refusal.
 */
@Injectable()
export class CheckConfiguration {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly documents: PutDocuments,
    private readonly catalog: ChangeCatalog,
    private readonly autonomy: PutAutonomy,
  ) {}

  async execute(by: PersonPrincipal, configuration: Configuration, requestId: string): Promise<ConfigurationCheck> {
    return (await this.#rehearse(by, configuration, requestId)).found;
  }

  /**
   * Checks a configuration that is put to a question and not in force. The scope of a change is not needed, its role is. The
   * rehearsal takes the way of a change, which asks for both, and it is rolled back.
   *
   * @throws {FailureError} the refusal, unless its code is among `besides`.
   */
  async require(
    by: PersonPrincipal,
    configuration: Configuration,
    { requestId, besides }: { readonly requestId: string; readonly besides: readonly string[] },
  ): Promise<void> {
    const asIfChanging: PersonPrincipal = { ...by, scopes: [...by.scopes, 'admin'] };
    const { failure } = await this.#rehearse(asIfChanging, configuration, requestId);
    if (failure !== null && !besides.includes(failure.code)) throw new FailureError(failure);
  }

  #rehearse(
    by: PersonPrincipal,
    configuration: Configuration,
    requestId: string,
  ): Promise<{ readonly found: ConfigurationCheck; readonly failure: Failure | null }> {
    return this.database.rehearsals.rehearse(by.tenantId, async (rehearsal) => {
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
          await this.#check(by, part, text, found);
        } catch (error) {
          if (!(error instanceof FailureError)) throw error;
          const refused = { part, problem: problemOf(error.failure, requestId) };
          return { found: { ...found, refused }, failure: error.failure };
        }
        found.loosens.push(...rehearsal.loosens.slice(before).map((what) => ({ part, what })));
      }
      return { found, failure: null };
    });
  }

  async #check(by: PersonPrincipal, part: ConfigurationPart, text: string, found: ConfigurationCheck): Promise<void> {
    switch (part) {
      case 'environments':
        found.environments = await putDocument(text, ENVIRONMENTS, (document) =>
          this.documents.environments(by, document),
        );
        return;
      case 'executors':
        found.executors = await putDocument(text, EXECUTORS, (document) => this.documents.executors(by, document));
        return;
      case 'tools': {
        const read = unwrap(readCatalog(text));
        const put = async (dryRun: boolean) =>
          changePlanView(
            carriedOut(await this.catalog.execute(by, read.tools, { keep: 'others_go', dryRun }), read.locate),
            read.locate,
          );
        // The changes are told even if plans hold a tool that the catalog may not change.
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

/** Reads a document and puts it; a refusal says at which line. */
export async function putDocument<T, Answer>(
  body: unknown,
  kind: DocumentKind<T>,
  put: (document: T) => Promise<Answer>,
): Promise<Answer> {
  const { document, locate } = unwrap(readDocumentBody(body, kind));
  try {
    return await put(document);
  } catch (error) {
    if (!(error instanceof FailureError)) throw error;
    throw new FailureError(locatedIn(error.failure, locate), { cause: error });
  }
}

type Locate = DocumentBody<unknown>['locate'];

const locatedIn = (failure: Failure, locate: Locate): Failure =>
  failure.errors === undefined ? failure : { ...failure, errors: locate(failure.errors) };

/** The result of a change in a rehearsal, in which no change waits for a second person. */
function carriedOut<T>(result: Result<Guarded<T>>, locate: Locate = (errors) => [...errors]): T {
  if (!result.ok) throw new FailureError(locatedIn(result.error, locate));
  if (result.value.outcome === 'waits') throw new Error('A rehearsal opened a change.');
  return result.value.value;
}
