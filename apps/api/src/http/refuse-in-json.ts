import { isJsonList, type Json } from '#lib/canonical';
import { FailureError } from '#lib/kernel';

/**
 * Refuses valid JSON that no document here holds. PostgreSQL stores U+0000 in no text. Libraries silently drop the key
 * `__proto__`, so that the rest would be taken for the whole.
 *
 * @throws {FailureError} `request.null_character`, `json.reserved_key`.
 */
export function refuseInJson(value: Json | undefined, pointer = ''): void {
  if (typeof value === 'string') {
    if (value.includes('\0')) throw nullCharacter(pointer);
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  if (isJsonList(value)) {
    value.forEach((item, index) => {
      refuseInJson(item, `${pointer}/${String(index)}`);
    });
    return;
  }
  for (const [key, member] of Object.entries(value)) {
    if (key.includes('\0')) throw nullCharacter(pointer);
    const at = `${pointer}/${key.slice(0, 200).replaceAll('~', '~0').replaceAll('/', '~1')}`;
    if (key === '__proto__') throw reservedKey(at);
    refuseInJson(member, at);
  }
}

const nullCharacter = (pointer: string): FailureError =>
  new FailureError({
    kind: 'unprocessable',
    code: 'request.null_character',
    message: 'The request holds the character U+0000, which no text here may hold.',
    action: 'Leave the character out.',
    errors: [{ pointer, code: 'request.null_character', message: 'holds the character U+0000' }],
  });

const reservedKey = (pointer: string): FailureError =>
  new FailureError({
    kind: 'invalid',
    code: 'json.reserved_key',
    message: 'The body holds the key __proto__, which is not possible here.',
    action: 'Use another key.',
    errors: [{ pointer, code: 'json.reserved_key', message: 'This key is not possible.' }],
  });
