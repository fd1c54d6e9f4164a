import type { Argument } from './inspection.js';
import { PathList } from './path-list.js';

/**
 * Paths that hold secrets, by their last components; `/` in front anchors at the root, `/` behind means all that is below. Seed 003
 * names the gap: `cat /etc/shadow` only reads.
 */
const SECRET_PATHS = new PathList(
  '/etc/shadow /etc/shadow- /etc/gshadow /etc/sudoers /etc/sudoers.d/ /etc/ssl/private/ /etc/krb5.keytab /etc/kubernetes/ ' +
    '/etc/master.passwd /etc/security/opasswd /etc/ipsec.secrets /etc/wireguard/ /etc/pve/priv/ /etc/rancher/ ' +
    '/var/run/secrets/ /run/secrets/ /var/lib/kubelet/pki/ /var/db/dslocal/ /dev/mem /dev/kmem /proc/kcore ' +
    'shadow gshadow master.passwd environ ' +
    '/proc/*/environ /proc/*/mem /proc/*/fd/ /proc/*/root/ /proc/*/cwd/ ' +
    '.ssh .ssh/ .gnupg .gnupg/ id_rsa id_dsa id_ecdsa id_ed25519 id_ed25519_sk *.pem *.key *.p12 *.pfx *.jks *.keystore *.kdbx *.ppk ' +
    '.env .env.* .envrc *.env .netrc _netrc .pgpass .my.cnf .mylogin.cnf .htpasswd .git-credentials .npmrc .pypirc .vault-token ' +
    '.dockercfg .docker/config.json .docker/ .aws .aws/ .azure .azure/ .config/gcloud .config/gcloud/ .config/gh .config/gh/ ' +
    '.config/hub .config/rclone/ .config/sops/ .kube .kube/ kubeconfig *.kubeconfig .terraform.d/ .terraformrc *.tfstate ' +
    '*.tfstate.* *.tfvars .oci/ .doctl/ .config/doctl/ .config/op/ .password-store .password-store/ .m2/settings.xml ' +
    '.gem/credentials .cargo/credentials .cargo/credentials.toml .config/hcloud/ .bash_history .zsh_history .psql_history ' +
    '.mysql_history .python_history .node_repl_history .lesshst .claude.json .claude/.credentials.json .codex/auth.json ' +
    '.config/google-chrome/ .mozilla/ Library/Keychains/ Library/Cookies/ secrets.yml secrets.yaml secrets.json ' +
    'credentials credentials.json credentials.yml credentials.yaml service-account.json service_account.json ' +
    'application_default_credentials.json private.key privkey.pem ' +
    // Countersign's own: keys of runners and of the server, and tokens.
    '.countersign .countersign/ .countersign-* .countersign-*/ key.json next-key.json',
);

/** Names that look secret and are not: they are examples, public halves, or checked in. */
const NO_SECRETS =
  /(?:^|\/)(?:\.env\.(?:example|sample|template|dist|test|schema)|[^/]*\.pub|known_hosts|authorized_keys)$/;

/** Folders with secrets below them. */
const ABOVE_SECRETS =
  /^(?:\/|\/etc|\/root|\/home|\/Users|\/proc|\/run|\/var|\/var\/run|(?:\/home|\/Users)\/[^/]+|~[^/]*)\/?$/;

/** Files that somebody's program executes: writing them is writing code (CVE-2025-59536), never an ordinary write. */
const CODE_PATHS = new PathList(
  '.git/hooks/ .git/config .git/ .gitattributes .gitmodules .gitconfig .config/git/ .husky/ .githooks/ .pre-commit-config.yaml ' +
    'lefthook.yml .lefthook.yml .mcp.json mcp.json .claude .claude/ CLAUDE.md AGENTS.md AGENT.md GEMINI.md .claude.json .codex/ .gemini/ ' +
    '.cursor/ .cursorrules .windsurf/ .windsurfrules .aider.conf.yml .continue/ .roo/ .clinerules .github/ .gitlab-ci.yml ' +
    '.circleci/ .travis.yml Jenkinsfile azure-pipelines.yml bitbucket-pipelines.yml .drone.yml .buildkite/ .ci/ .woodpecker/ ' +
    '.woodpecker.yml .gitea/ .forgejo/ cloudbuild.yaml ' +
    'package.json package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml .npmrc .yarnrc .yarnrc.yml .pnpmfile.cjs ' +
    'Makefile makefile GNUmakefile *.mk CMakeLists.txt justfile Justfile Taskfile.yml Rakefile Gemfile Procfile Vagrantfile Tiltfile ' +
    'Dockerfile Dockerfile.* docker-compose.yml docker-compose.yaml compose.yml compose.yaml ' +
    'setup.py setup.cfg pyproject.toml tox.ini noxfile.py conftest.py sitecustomize.py usercustomize.py *.pth Pipfile ' +
    'build.gradle build.gradle.kts settings.gradle settings.gradle.kts gradlew mvnw pom.xml build.rs build.xml .cargo/ ' +
    '.vscode/ .idea/ .devcontainer/ .devcontainer.json .envrc .env .env.* .editorconfig .direnv/ ' +
    '.bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .zshrc .zshenv .zprofile .zlogin .zlogout .inputrc ' +
    '.config/fish/ .cshrc .tcshrc .kshrc .xprofile .xinitrc .xsession .vimrc .exrc .gvimrc .vim/ .config/nvim/ .emacs .emacs.d/ ' +
    '.tmux.conf .screenrc .lesskey .curlrc .wgetrc .ssh .ssh/ .gnupg/ .aws/ .kube/ .docker/ .config/autostart/ ' +
    '.config/systemd/ .local/bin/ Library/LaunchAgents/ Library/LaunchDaemons/ authorized_keys crontab ' +
    '/etc/ /usr/ /bin/ /sbin/ /lib/ /lib64/ /boot/ /opt/ /root/ /var/spool/cron/ /var/spool/at/ /proc/ /sys/ /System/ /Library/ /Applications/',
);

const SEPARATORS = /[=:,@]/;

/** True if the word names, or could name, a path that holds secrets. */
export function namesSecret(word: Argument): boolean {
  return word.patterns.some(
    (pattern) => isSecret(pattern) || (SEPARATORS.test(pattern) && pattern.split(SEPARATORS).some(isSecret)),
  );
}

/** True if a path that a tool opens literally is a file that may hold secrets. */
export function isSecretPath(path: string): boolean {
  return isSecret(path);
}

/** True if a path that a tool opens literally, or a folder by all that is below it, may hold secrets. */
export function reachesSecrets(path: string): boolean {
  return isSecret(path) || (SECRET_PATHS.has(`${path}/any`) && !NO_SECRETS.test(path));
}

/** True if a path that a tool opens literally, or a folder by all that is below it, is code for somebody, so that writing it is no ordinary write (T52). */
export function reachesCode(path: string): boolean {
  return CODE_PATHS.has(path) || CODE_PATHS.has(`${path}/any`);
}

/** True if reading the word as a folder, with all that is below it, reads secrets. */
export function holdsSecrets(word: Argument): boolean {
  return word.patterns.some((pattern) => ABOVE_SECRETS.test(pattern) || isSecret(pattern));
}

/** True if the word names, or could name, a file that is code for somebody. */
export function namesCode(word: Argument): boolean {
  return word.patterns.some((pattern) => CODE_PATHS.has(pattern));
}

const isSecret = (pattern: string): boolean => SECRET_PATHS.has(pattern) && !NO_SECRETS.test(pattern);
