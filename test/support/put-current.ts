import { expectStatus, type Answer, type HttpAs } from './api.js';

/** Puts a document in place of the one that is read now: `path` with its ETag as If-Match. */
export async function putCurrent(
  http: HttpAs,
  path: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const { etag } = expectStatus(await http.get(path), 200).headers;
  if (etag === undefined) throw new Error(`${path} has no ETag`);
  return http.put(path, body, { 'if-match': etag, ...headers });
}
