import { executorDocumentSchema } from '#lib/formats';
import type { ExecutorKind } from '../executor-kind.js';
import { HttpToolDispatcher } from './http-tool-dispatcher.js';
import { readHttpSettings } from './read-http-settings.js';

/** A tool server that is called over HTTP. */
export const httpKind: ExecutorKind = {
  name: 'http',
  title: 'a tool server that is called over HTTP',
  answeredBy: 'executor',
  settings: executorDocumentSchema.pick({ url: true, secret: true }).required({ url: true }),
  read: readHttpSettings,
  workspacePool: () => null,
  destination: ({ url }) => url ?? 'no address',
  dispatcher: ({ issueGrant, secrets, agents }) => new HttpToolDispatcher(issueGrant, secrets, agents),
};
