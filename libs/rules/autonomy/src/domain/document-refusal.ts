import type { Failure, FieldError } from '#lib/kernel';

/**
 * The refusal of a YAML document for these errors, with the line of the first.
 *
 * @param area the prefix of its code: `<area>.unreadable` if the text is no YAML, else `<area>.invalid`.
 * @param refused says in a sentence that the document is refused.
 */
export function documentRefusal(area: string, refused: string, errors: readonly FieldError[]): Failure {
  const unreadable = errors.some(({ code }) => code.startsWith('yaml.'));
  const [first] = errors;
  const where = first?.line === undefined ? '' : ` Line ${String(first.line)}: ${first.message}`;
  return {
    kind: unreadable ? 'invalid' : 'unprocessable',
    code: `${area}.${unreadable ? 'unreadable' : 'invalid'}`,
    message: `${refused}${where}`,
    action: 'Correct the listed errors, and try again.',
    errors,
  };
}
