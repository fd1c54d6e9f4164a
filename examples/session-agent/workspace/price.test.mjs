import { inCents } from './price.mjs';

const cents = inCents(19.99);
if (cents !== 1999) {
  console.error(`19.99 euros are 1999 cents, and not ${cents}`);
  process.exit(1);
}
console.log('prices are right');
