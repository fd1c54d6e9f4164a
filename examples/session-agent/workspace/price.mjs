/** A price in euros, in whole cents. */
export const inCents = (euros) => Math.round(euros * 100);
