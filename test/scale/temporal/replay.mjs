/**
 * Replays a recorded history of a workflow against its program. Ends with 1 if the program would not do now as it did then.
 *
 *   node replay.mjs PROGRAM HISTORY    beside node_modules with the packages of Temporal
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Worker } from '@temporalio/worker';

const [workflowsPath, path] = process.argv.slice(2);

/** The parser of `@temporalio/common` refuses types of another copy of protobufjs, and npm gives each of Temporal's packages one. */
function historyOf(json) {
  const common = createRequire(createRequire(import.meta.url).resolve('@temporalio/worker'));
  const proto = createRequire(common.resolve('@temporalio/proto'));
  const { patchProtobufRoot } = proto('./../lib/patch-protobuf-root');
  const type = patchProtobufRoot(common('@temporalio/proto')).lookupType('temporal.api.history.v1.History');
  return proto('protobufjs/ext/protojson').fromJson(type, json, { ignoreUnknownFields: true });
}

await Worker.runReplayHistory({ workflowsPath }, historyOf(JSON.parse(readFileSync(path, 'utf8'))));
// The runtime of Temporal would keep the process alive.
process.exit(0);
