import { err, ok, type FieldError, type Result } from '#lib/kernel';
import type { IssuerDescription } from './issuer.js';

/**
 * Whether issuers can stand beside each other: names and addresses unique, roles that can be held.
 *
 * @param plainAllowed whether the operator allows the host to be reached without TLS, as a private one.
 */
export function checkIssuers(
  issuers: readonly IssuerDescription[],
  plainAllowed: (url: URL) => boolean,
): Result<readonly IssuerDescription[]> {
  const errors = issuers.flatMap((issuer, index) =>
    problemsOf(issuer, `/issuers/${String(index)}`, issuers, index, plainAllowed),
  );
  if (errors.length === 0) return ok(issuers);
  return err({
    kind: 'unprocessable',
    code: 'issuer.invalid',
    message: 'These issuers cannot be used.',
    action: 'Correct the listed errors.',
    errors,
  });
}

function problemsOf(
  issuer: IssuerDescription,
  at: string,
  all: readonly IssuerDescription[],
  index: number,
  plainAllowed: (url: URL) => boolean,
): FieldError[] {
  const found: FieldError[] = [];
  const earlier = all.slice(0, index);
  if (earlier.some(({ name }) => name === issuer.name))
    found.push({ pointer: `${at}/name`, code: 'issuer.name_twice', message: 'stands twice' });
  if (earlier.some(({ url }) => url === issuer.url))
    found.push({ pointer: `${at}/issuer_url`, code: 'issuer.url_twice', message: 'stands twice' });
  const url = URL.canParse(issuer.url) ? new URL(issuer.url) : null;
  if (url?.search !== '' || url.hash !== '' || url.username !== '' || url.password !== '')
    found.push({ pointer: `${at}/issuer_url`, code: 'issuer.url', message: 'is not an issuer identifier' });
  else if (url.protocol !== 'https:' && !(url.protocol === 'http:' && plainAllowed(url)))
    found.push({ pointer: `${at}/issuer_url`, code: 'issuer.url', message: 'must begin with https://' });
  issuer.roleMappings.forEach(({ role }, position) => {
    if (role.toLowerCase() === 'any')
      found.push({
        pointer: `${at}/role_mappings/${String(position)}/role`,
        code: 'identity.role_name',
        message: 'is not a name for a role',
      });
  });
  return found;
}
