import { PythonModels } from './python-models.mjs';
import { operationsOf, resourcesModule } from './python-operations.mjs';

const FOLDER = 'clients/python/src/countersign';
const PROBLEM = { $ref: '#/components/schemas/Problem' };

/**
 * The generated modules of the Python client, by their paths in the repository.
 *
 * @param {{ paths: object, components?: { schemas?: Record<string, object> } }} document the OpenAPI document.
 * @returns {Record<string, string>}
 */
export function pythonClient(document) {
  const models = new PythonModels(document.components?.schemas ?? {});
  const operations = operationsOf(document);
  models.typeOf(PROBLEM, 'Problem');
  return {
    [`${FOLDER}/resources.py`]: resourcesModule(operations, models, false),
    [`${FOLDER}/async_resources.py`]: resourcesModule(operations, models, true),
    [`${FOLDER}/models.py`]: models.module,
  };
}
