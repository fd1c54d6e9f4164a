import { Webhook, WebhookVerificationError } from 'standardwebhooks';
import type { VerifyMessage } from '../application/automation-webhook.ports.js';

/** An unknown automation takes as long as a wrong signature. */
const NEVER_USED = 'whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=';

/** Standard Webhooks 1.0. */
export const isSigned: VerifyMessage = (secrets, { id = '', timestamp = '', signature = '', body }) => {
  const headers = { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature };
  const signed = (secret: string): boolean => {
    try {
      new Webhook(secret).verify(body, headers, { jsonParse: false });
      return true;
    } catch (error) {
      if (error instanceof WebhookVerificationError) return false;
      throw error;
    }
  };
  if (secrets.length > 0) return secrets.some(signed);
  signed(NEVER_USED);
  return false;
};
