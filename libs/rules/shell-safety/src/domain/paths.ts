import { CODE_PATHS } from './code-paths.js';
import type { Argument } from './inspection.js';
import { matchesGlob } from './match-glob.js';
import { PathList } from './path-list.js';

/**
 * Paths that hold secrets, by their last components; `/` in front anchors at the root, `/` behind means all that is below. By
 * its effect alone, `cat /etc/shadow` only reads.
 */
const SECRET_PATHS = new PathList(
  '/etc/shadow /etc/shadow- /etc/gshadow /etc/sudoers /etc/sudoers.d/ /etc/ssl/private/ /etc/krb5.keytab /etc/kubernetes/ ' +
    '/etc/master.passwd /etc/security/opasswd /etc/ipsec.secrets /etc/wireguard/ /etc/pve/priv/ /etc/rancher/ ' +
    '/var/run/secrets/ /run/secrets/ /var/lib/kubelet/pki/ /var/db/dslocal/ /dev/mem /dev/kmem /proc/kcore ' +
    'shadow gshadow master.passwd environ token *.token *-token *_token id_* id_rsa id_dsa id_ecdsa id_ed25519 ' +
    'ssh_host_*_key system-connections/ /etc/ppp/ chap-secrets pap-secrets /etc/openvpn/ *.ovpn /etc/wpa_supplicant/ wpa_supplicant.conf ' +
    '/etc/netplan/ /etc/mysql/debian.cnf sasl_passwd passwd.client ldap.secret /etc/ceph/ /var/lib/samba/private/ /var/lib/cloud/ ' +
    '/proc/*/environ /proc/*/mem /proc/*/fd/ /proc/*/root/ /proc/*/cwd/ ' +
    '.ssh .ssh/ .gnupg .gnupg/ *.pem *.key *.p12 *.pfx *.jks *.keystore *.kdbx *.ppk ' +
    '.boto .s3cfg .passwd-s3fs .smbcredentials .fetchmailrc .msmtprc .databrickscfg .snowsql/ .erlang.cookie .pgservice.conf ' +
    'rclone.conf wp-config.php wallet.dat .local/share/keyrings/ .bundle/config auth.json .gradle/gradle.properties .netlify/ .config/heroku/ ' +
    '.config/filezilla/ .config/chromium/ .thunderbird/ .config/containers/ ' +
    '.env .env.* .envrc *.env .netrc _netrc .pgpass .my.cnf .mylogin.cnf .htpasswd .git-credentials .git/config .git/config.worktree .git/modules/ *.git/config .gitconfig .config/git/config .config/git/credentials .npmrc .pypirc .vault-token ' +
    '.dockercfg .docker/config.json .docker/ .aws .aws/ .azure .azure/ .config/gcloud .config/gcloud/ .config/gh .config/gh/ ' +
    '.config/hub .config/rclone/ .config/sops/ .kube .kube/ kubeconfig *.kubeconfig .terraform.d/ .terraformrc *.tfstate ' +
    '*.tfstate.* *.tfvars .oci/ .doctl/ .config/doctl/ .config/op/ .password-store .password-store/ .m2/settings.xml ' +
    '.gem/credentials .cargo/credentials .cargo/credentials.toml .config/hcloud/ .bash_history .zsh_history .psql_history ' +
    '.mysql_history .python_history .node_repl_history .lesshst .claude.json .claude/.credentials.json .codex/auth.json ' +
    '.config/google-chrome/ .mozilla/ Library/Keychains/ Library/Cookies/ secrets.yml secrets.yaml secrets.json secrets.txt secrets.toml ' +
    'secret secret.txt secret.json secret.yml secret.yaml password password.txt passwords passwords.txt token.txt token.json tokens.txt tokens.json ' +
    'api_key api-key apikey api_key.txt api-key.txt apikey.txt client_secret.json ' +
    'credentials credentials.json credentials.yml credentials.yaml service-account.json service_account.json ' +
    '.secret .secrets .token .password .passwd .vault_pass .vault_pass.txt vault_password.txt vault-password.txt *-credentials *_credentials krb5cc_* ' +
    '.dev.vars .flaskenv .sentryclirc .yarnrc.yml local.settings.json kubeconfig.yaml kubeconfig.yml kube-config k3s.yaml sa-key.json gcp-key.json ' +
    'keys.txt secring.gpg wallet.json cookies.sqlite cookies.txt pgpass ' +
    'application_default_credentials.json private.key privkey.pem ' +
    // Settings of applications and servers, whose documentation puts a password, a token or a connection string into them.
    'database.yml database.yaml appsettings.json appsettings.production.json appsettings.development.json appsettings.staging.json appsettings.local.json /etc/mysql/ my.cnf LocalSettings.php sites/default/settings.php ' +
    'config.inc.php /etc/redis/ /etc/odbc.ini .odbc.ini /etc/pgbouncer/userlist.txt .dbt/profiles.yml vault.yml vault.yaml credentials.xml ' +
    // Tokens that command lines of services keep.
    '.m2/settings-security.xml nuget.config .pip/pip.conf pip/pip.conf /etc/pip.conf .hgrc .subversion/auth/ .config/configstore/ .fly/ ' +
    '.config/stripe/ .wrangler/config/ .railway/ ngrok.yml .kaggle/ .databricks/ .snowflake/ .config/snowflake/ .acme.sh/ ' +
    '/etc/letsencrypt/accounts/ claude_desktop_config.json .cursor/mcp.json .gemini/oauth_creds.json ' +
    '.rediscli_history .sqlite_history .irb_history fish_history ' +
    // Countersign's own: keys of runners and of the server, and tokens.
    '.countersign .countersign/ .countersign-* .countersign-*/ .config/countersign/ .local/state/countersign/ key.json next-key.json',
);

/** Names that look secret and are not: they are examples, public halves, or checked in. */
const NO_SECRETS =
  /(?:^|\/)(?:\.env\.(?:example|sample|template|dist|test|schema)|[^/]*\.pub|known_hosts|authorized_keys|id_[^/]*\.(?:[cm]?[jt]sx?|py|rb|go|rs|java|kt|[ch]|[ch]pp|cs|php|sql|md|css|html|json|ya?ml|proto))$/i;

/** Folders with secrets below them. */
const ABOVE_SECRETS =
  /^(?:\/|\/etc|\/root|\/home|\/Users|\/proc|\/run|\/var|\/var\/run|(?:\/home|\/Users)\/[^/]+|~[^/]*)\/?$/;

const SEPARATORS = /[=:,@]/;

/** The same as the pattern, without its cost for each word. */
const holdsSeparator = (path: string): boolean =>
  path.includes('=') || path.includes(':') || path.includes(',') || path.includes('@');

/** True if the word names, or could name, a path that holds secrets. */
export function namesSecret(word: Argument): boolean {
  for (const pattern of word.patterns) {
    if (isSecret(pattern)) return true;
    if (holdsSeparator(pattern) && pattern.split(SEPARATORS).some(isSecret)) return true;
  }
  return false;
}

/** Every file of a home, or of a folder that keeps settings or keys. */
const WIDE =
  /^(?:~|\/root|(?:\/home|\/Users)\/[^/]+|(?:.*\/)?(?:config|conf|secrets?|credentials?|keys|certs?|private))\/+[*?.]+$/i;
const WIDE_HOME = /^"?\$(?:HOME|\{HOME\})"?\/+[*?.]+$/;

/** True if the word names every file of a folder that is likely to hold secrets among others: `config/*`. */
export function namesFolderOfSecrets({ patterns, text }: Argument): boolean {
  for (const pattern of patterns) {
    if (!endsWild(pattern)) continue;
    if (pattern.includes('/') && WIDE.test(pattern)) return true;
    if (endsWild(text) && WIDE_HOME.test(text)) return true;
  }
  return false;
}

function endsWild(pattern: string): boolean {
  const last = pattern.charCodeAt(pattern.length - 1);
  return last === STAR || last === QUESTION || last === DOT;
}

/** True if a path that a tool opens literally is a file that may hold secrets. */
export function isSecretPath(path: string): boolean {
  return isSecret(path);
}

/** True if a path that a tool opens literally may hold secrets, itself or below it. */
export function reachesSecrets(path: string): boolean {
  return isSecret(path) || (SECRET_PATHS.leadsTo(path) && !NO_SECRETS.test(path));
}

/** True if a path that a tool opens literally is code, or a folder with code below it. Writing it is no ordinary write (T52). */
export function reachesCode(path: string): boolean {
  return isCode(path);
}

/** The name of `.git/config`, which holds tokens, in every repository. */
const IN_GIT = 'config';

/**
 * True if a choice of names, as `find -name` has it, could name a secret: on purpose, or by a leading dot. Its `*`
 * matches a dot.
 */
export function mayMatchSecret({ value, patterns }: Argument): boolean {
  if (value === null) return true;
  return patterns.some(
    (pattern) =>
      /[[\\{]/.test(pattern) ||
      isSecret(pattern) ||
      SECRET_PATHS.hidesBehind(pattern) ||
      matchesGlob(pattern.toLowerCase().slice(pattern.lastIndexOf('/') + 1), IN_GIT),
  );
}

/** True if reading the word as a folder, with all that is below it, reads secrets: `.git` holds `.git/config`. */
export function holdsSecrets(word: Argument): boolean {
  for (const pattern of word.patterns)
    if (isAboveSecrets(pattern) || isSecret(pattern) || SECRET_PATHS.leadsTo(pattern)) return true;
  return false;
}

/** True if the word names, or could name, a file that is code for somebody, or a folder with such. */
export function namesCode(word: Argument): boolean {
  return word.patterns.some(isCode);
}

const STAR = 42;
const DOT = 46;
const HASH = 35;
const SLASH = 47;
const QUESTION = 63;
const TILDE = 126;

function isAboveSecrets(pattern: string): boolean {
  const first = pattern.charCodeAt(0);
  return (first === SLASH || first === TILDE) && ABOVE_SECRETS.test(pattern);
}

const isSecret = (pattern: string): boolean =>
  (SECRET_PATHS.has(pattern) && !NO_SECRETS.test(pattern)) || isAppSettings(pattern) || isCopyOfSecret(pattern);

const APP_SETTINGS = /^appsettings\./i;
const JSON_OR_WILD = /[*?]|\.json$/i;

/**
 * True of `appsettings.{Environment}.json`: ASP.NET takes any name of an environment. As a listed path with `*`, it would overlap
 * with globs of other files: `*.test.json`.
 */
function isAppSettings(pattern: string): boolean {
  const slash = pattern.lastIndexOf('/');
  const name = slash < 0 ? pattern : pattern.slice(slash + 1);
  return APP_SETTINGS.test(name) && JSON_OR_WILD.test(name);
}

/** Names that editors and people give to a copy: `.env~`, `#.env#`, `.#.env`, `server.key.bak`, `.server.key.swp`, `.env-old`. */
const COPY = /^(.*\/)?(?:\.#(.+)|#(.+)#|\.(.+)\.sw[op]|(.+?)(?:~+|[._-](?:bak|old|orig|save|backup|copy)\d*))$/i;
/** The last character of such a name. */
const ENDS_COPY = new Set(Array.from('~#kdgepyovKDGEPYOV0123456789', (char) => char.charCodeAt(0)));

function isCopyOfSecret(pattern: string): boolean {
  const marked = pattern.charCodeAt(pattern.lastIndexOf('/') + 2) === HASH;
  if (!marked && !ENDS_COPY.has(pattern.charCodeAt(pattern.length - 1))) return false;
  const copy = COPY.exec(pattern);
  return copy !== null && isSecret(copy.slice(1).join(''));
}

const isCode = (pattern: string): boolean => CODE_PATHS.has(pattern) || CODE_PATHS.leadsTo(pattern);
