/**
 * Names by which environments keep passwords and tokens, as CI systems, clouds and frameworks spell them. Addresses of databases and
 * webhooks hold a password, too. In capitals: variables of a script itself are in small letters.
 */
const SECRET =
  /TOKEN|SECRET|PASSW|PASSPHRASE|CREDENTIAL|COOKIE|BEARER|(?:^|_)(?:PASS|PW|PWD|AUTH|JWT|PAT|PIN|SALT|SAS|DSN)(?:_|$)(?<!^(?:OLD)?PWD)|(?:API|ACCESS|PRIVATE|ENCRYPTION|SIGNING|MASTER|DEPLOY|ACCOUNT|LICENSE)_?KEY|_KEYS?$|^KEY$|_UR[LI]$|CONNECTION_?STRING/;
const NPM = /^npm_config_\w*(?:auth|token|passw|secret)/i;

/** True if a variable of this name, which was set before the line, is likely to hold a secret. */
// Most variables of a line have one letter or digit.
export const isSecretVariable = (name: string): boolean => name.length > 1 && (SECRET.test(name) || NPM.test(name));
