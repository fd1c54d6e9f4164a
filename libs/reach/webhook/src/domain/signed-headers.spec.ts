import { Webhook, WebhookVerificationError } from 'standardwebhooks';
import { signedHeaders } from './signed-headers.js';

const [one, two, three] = ['a', 'b', 'c'].map(
  (letter) => `whsec_${Buffer.from(letter.repeat(32)).toString('base64')}`,
) as [string, string, string];
const body = '{"event":"tool.test"}';

it('signs with each valid secret, so that a receiver with either verifies', () => {
  const headers = signedHeaders('0199d0e0', Date.now(), body, [one, two]);
  expect(headers['webhook-id']).toBe('0199d0e0');
  for (const secret of [one, two]) expect(new Webhook(secret).verify(body, headers)).toEqual({ event: 'tool.test' });
  expect(() => new Webhook(three).verify(body, headers)).toThrow(WebhookVerificationError);
  expect(() => new Webhook(one).verify(`${body} `, headers)).toThrow(WebhookVerificationError);
  expect(() => new Webhook(one).verify(body, { ...headers, 'webhook-id': 'another' })).toThrow(
    WebhookVerificationError,
  );
});
