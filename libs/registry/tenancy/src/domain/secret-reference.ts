import { err, ok, type Result } from '#lib/kernel';

/** Names one version of a secret; written `name@version`, as `{"$secret": "..."}` carries it. */
export interface SecretReference {
  readonly name: string;
  readonly version: number;
}

const secretName = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,127}$/;
const reference = /^([A-Za-z0-9][A-Za-z0-9_.-]{0,127})@([1-9]\d{0,8})$/;

/** The most bytes of UTF-8 that a secret may have. */
export const MAX_SECRET_BYTES = 65_536;

/** `secret.invalid_reference` unless it reads `name@version`. */
export function parseSecretReference(text: string): Result<SecretReference> {
  const [, name, version] = reference.exec(text) ?? [];
  if (name === undefined || version === undefined) {
    return err({
      kind: 'unprocessable',
      code: 'secret.invalid_reference',
      message: 'A secret is named as name@version, for example deploy-key@3.',
      action: 'Write the reference so; the versions there are stand in the list of secrets.',
    });
  }
  return ok({ name, version: Number(version) });
}

export const formatSecretReference = ({ name, version }: SecretReference): string => `${name}@${String(version)}`;

/** `secret.invalid_name`, `secret.empty` or `secret.too_large` unless it can be stored. */
export function checkSecret(name: string, value: string): Result<void> {
  if (!secretName.test(name)) {
    return err({
      kind: 'unprocessable',
      code: 'secret.invalid_name',
      message: 'A secret is named by letters, digits, ".", "-" and "_", at most 128, beginning with a letter or digit.',
      action: 'Choose another name.',
      errors: [{ pointer: '/name', code: 'secret.invalid_name', message: 'not a name' }],
    });
  }
  const bytes = Buffer.byteLength(value, 'utf8');
  if (bytes === 0) {
    return err({
      kind: 'unprocessable',
      code: 'secret.empty',
      message: 'The secret is empty.',
      action: 'Send its value.',
    });
  }
  if (bytes > MAX_SECRET_BYTES || !value.isWellFormed()) {
    return err({
      kind: 'unprocessable',
      code: 'secret.too_large',
      message: `A secret is text of at most ${String(MAX_SECRET_BYTES)} bytes.`,
      action: 'Store a shorter one, or the address from which the tool can fetch it.',
    });
  }
  return ok(undefined);
}
