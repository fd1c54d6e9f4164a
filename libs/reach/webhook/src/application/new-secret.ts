import { randomBytes } from 'node:crypto';

/** A new secret in the form of Standard Webhooks: 256 random bits. */
export const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;
