/** The last work of a transaction cannot be done now, for a usual reason: nobody need hear of it. */
export class NotNow extends Error {
  override readonly name = 'NotNow';
}
