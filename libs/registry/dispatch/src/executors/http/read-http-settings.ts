import { err, ok, type FieldError, type Result } from '#lib/kernel';
import type { ExecutorKind } from '../executor-kind.js';

const refuse = (code: string, message: string, suggestion?: string): Result<never, readonly FieldError[]> =>
  err([{ pointer: '/url', code, message, ...(suggestion === undefined ? {} : { suggestion }) }]);

/**
 * Checks the address of a tool server. Codes: `executor.url_required`, `executor.url_invalid`, `executor.url_not_https`,
 * `executor.address_refused`.
 *
 * @param verdict the operator's rule for a host and port; it resolves no name.
 */
export const readHttpSettings: ExecutorKind['read'] = (document, verdict) => {
  if (document.url === undefined)
    return refuse(
      'executor.url_required',
      'An http executor has the address of a tool server.',
      'https://tools.example.com/countersign',
    );
  if (!URL.canParse(document.url))
    return refuse('executor.url_invalid', 'This is not an absolute URL.', 'https://tools.example.com/countersign');
  const url = new URL(document.url);
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    return refuse(
      'executor.url_invalid',
      'The address carries neither credentials nor a query nor a fragment: store a secret and name it.',
    );
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    return refuse('executor.url_not_https', 'A tool server is reached over https.');
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
  const rule = verdict(url.hostname.replace(/^\[(.*)\]$/, '$1'), port);
  if (rule === 'refused') {
    return refuse(
      'executor.address_refused',
      'This address is not public, and the operator has not allowed it in COUNTERSIGN_ALLOWED_PRIVATE_HOSTS.',
    );
  }
  if (url.protocol === 'http:' && rule !== 'allowed') {
    return refuse(
      'executor.url_not_https',
      'Without https, only hosts that the operator allowed are reached.',
      `https://${url.host}${url.pathname}`,
    );
  }
  return ok({ url: url.href, secret: document.secret ?? null });
};
