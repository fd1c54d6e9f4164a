/** The part of `@temporalio/workflow` that the workflow uses. The package is optional, so its own types may be absent. */
declare module '@temporalio/workflow' {
  interface Signal {
    readonly name: string;
  }
  export function proxyActivities(options: {
    readonly startToCloseTimeout: string;
    readonly heartbeatTimeout: string;
    readonly retry: { readonly initialInterval: string; readonly maximumInterval: string };
  }): { advance(tenantId: string, runId: string, installation: string): Promise<unknown> };
  export function defineSignal(name: string): Signal;
  export function setHandler(signal: Signal, handler: () => void): void;
  export function condition(test: () => boolean, timeoutMs: number): Promise<boolean>;
  export function continueAsNew(...input: readonly string[]): Promise<never>;
  export function workflowInfo(): { readonly historyLength: number; readonly continueAsNewSuggested: boolean };
}
