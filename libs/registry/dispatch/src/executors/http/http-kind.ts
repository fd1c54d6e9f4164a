import type { ExecutorKind } from '../executor-kind.js';
import { HttpToolDispatcher } from './http-tool-dispatcher.js';

/** A tool server that is called over HTTP. */
export const httpKind: ExecutorKind = {
  name: 'http',
  answeredBy: 'executor',
  dispatcher: ({ issueGrant, secrets, agents }) => new HttpToolDispatcher(issueGrant, secrets, agents),
};
