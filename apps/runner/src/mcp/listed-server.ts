/** A server that may be started. The operator alone names its program. */
export interface ListedServer {
  readonly name: string;
  readonly program: string;
  readonly arguments: readonly string[];
  /** Its environment, beside PATH, LANG and HOME. */
  readonly environment: Readonly<Record<string, string>>;
  /** Values of its environment that come from the runner's own, and are masked in its answers. */
  readonly secrets: readonly string[];
  readonly folder: string;
  readonly timeLimitSeconds: number;
}
