import { z } from 'zod';
import { grantClaimsSchema } from '#lib/formats';

export const redeemGrantSchema = z
  .strictObject({
    grant: z.string().min(1).max(8_192).meta({ description: 'The value of the Countersign-Grant header, as it came.' }),
    audience: z.string().min(1).max(200).meta({ description: 'The executor that the tool server knows itself to be.' }),
    environment: z
      .string()
      .min(1)
      .max(63)
      .meta({ description: 'The environment that the tool server works in; a grant of another one is refused.' }),
  })
  .meta({ id: 'RedeemGrant' });

export const redeemedGrantSchema = z.strictObject({ claims: grantClaimsSchema }).meta({ id: 'RedeemedGrant' });

/** Public keys as RFC 7517 publishes them. */
export const jsonWebKeySetSchema = z
  .strictObject({
    keys: z.array(
      z.strictObject({
        kty: z.string(),
        crv: z.string(),
        x: z.string(),
        kid: z.string(),
        alg: z.literal('EdDSA'),
        use: z.literal('sig'),
      }),
    ),
  })
  .meta({ id: 'JsonWebKeySet' });
