import type { SecretBindingDocument } from '#lib/formats';
import { api } from '../api/client.js';

/**
 * Keeps a secret that was typed, as the next version of its name.
 *
 * @param binding its only destination.
 * @returns its reference, or `current` if nothing was typed.
 */
export async function keepSecret<Current extends string | null>(
  name: string,
  binding: SecretBindingDocument,
  typed: string,
  current: Current,
): Promise<string | Current> {
  const value = typed.trim();
  if (value === '') return current;
  return (await api.put('/v1/secrets/{name}', { path: { name }, body: { value, binding } })).reference;
}
