/** A PostgreSQL address with one host or several, as libpq's connection URIs have them (PostgreSQL manual, 34.1.1.2). */
export interface DatabaseAddress {
  /** One address a host, in their order: each as the driver takes it. */
  readonly urls: readonly string[];
  /** `db1:5432,db2:5432`, for messages. */
  readonly hosts: string;
  readonly user: string;
  readonly password: string;
  readonly database: string;
  /** For people: without the password and without parameters. */
  readonly shown: string;
}

/** Scheme; user and password; hosts; database; parameters. */
const ADDRESS = /^(postgres(?:ql)?:\/\/)(?:([^/?#]*)@)?([^@/?#]*)(\/[^?#]*)?(\?[^#]*)?$/;

/** The values of `target_session_attrs` that ask for the host that writes, which is looked for in any case. */
const WRITING = ['read-write', 'primary'];

/** Modes of TLS. The driver checks the server's certificate in each of the second list as in verify-full. */
const SSL_MODES = ['disable', 'no-verify', 'prefer', 'require', 'verify-ca', 'verify-full'];
const LIKE_VERIFY_FULL = ['prefer', 'require', 'verify-ca'];

/**
 * Reads an address. WHATWG's `URL` knows no list of hosts, so that the list is cut first; each host then makes a URL.
 *
 * @returns a string if it is none: the reason without the address, in words that follow a setting's name.
 */
export function readDatabaseAddress(text: string): DatabaseAddress | string {
  const [, scheme = '', credentials, list = '', path = '', query = ''] = ADDRESS.exec(text) ?? [];
  if (scheme === '') return NO_ADDRESS;
  const parameters = new URLSearchParams(query);
  const wanted = parameters.get('target_session_attrs');
  if (wanted !== null && !WRITING.includes(wanted)) return NO_OTHER_HOST;
  const mode = parameters.get('sslmode');
  if (mode !== null && !SSL_MODES.includes(mode)) return NO_SSL_MODE;
  parameters.delete('target_session_attrs');
  const spelled = mode !== null && LIKE_VERIFY_FULL.includes(mode) && !parameters.has('uselibpqcompat');
  // As the driver takes them, without its warning at each start.
  if (spelled) parameters.set('sslmode', 'verify-full');
  const kept = wanted === null && !spelled ? query : asQuery(parameters);
  const hosts = list.split(',');
  const login = credentials === undefined ? '' : `${credentials}@`;
  const urls = hosts.map((host) => `${scheme}${login}${host}${path}${kept}`);
  // An address without a host names this machine; a list has no such place.
  if (!urls.every((url) => URL.canParse(url)) || (hosts.length > 1 && hosts.includes(''))) return NO_ADDRESS;
  const [first] = urls.map((url) => new URL(url));
  if (first === undefined) return NO_ADDRESS;
  const { username, password, pathname } = first;
  const shownLogin = username === '' ? '' : `${username}@`;
  try {
    return {
      urls,
      hosts: list,
      user: decodeURIComponent(username),
      password: decodeURIComponent(password),
      database: decodeURIComponent(pathname.slice(1)),
      shown: `${scheme}${shownLogin}${list}${pathname}`,
    };
  } catch {
    return NO_ADDRESS; // a percent sign that begins no character
  }
}

const asQuery = (parameters: URLSearchParams): string => (parameters.size === 0 ? '' : `?${parameters.toString()}`);

const NO_ADDRESS =
  'must be a PostgreSQL address: postgres://user:password@host:5432/database, or several hosts separated by commas';
const NO_OTHER_HOST =
  'may say target_session_attrs=read-write or primary, or leave it out: Countersign looks for the host that writes';
const NO_SSL_MODE = `may say sslmode=${SSL_MODES.join(', ')}, or leave it out`;
