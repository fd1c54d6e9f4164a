import type { Turn } from '../domain/drive-run.js';

/**
 * The part of `@temporalio/*` that the dispatcher uses, in shapes of our own. The packages are optional, so their types
 * may be absent. test/scale holds these shapes to the real packages.
 */
export interface TemporalPackages {
  readonly worker: TemporalWorkerPackage;
  readonly client: TemporalClientPackage;
  readonly activity: TemporalActivityPackage;
}

interface TemporalActivityPackage {
  readonly Context: { current(): { heartbeat(): void } };
}

export interface TemporalConnection {
  readonly workflowService: {
    /** Rejects with gRPC's status of a missing thing if the server does not know the namespace. */
    describeNamespace(request: { readonly namespace: string }): Promise<unknown>;
  };
  close(): Promise<void>;
}

interface TemporalClientPackage {
  readonly Client: new (options: {
    readonly connection: TemporalConnection;
    readonly namespace: string;
    readonly identity: string;
  }) => TemporalClient;
}

export interface TemporalClient {
  readonly workflow: {
    signalWithStart(
      workflow: string,
      options: {
        readonly workflowId: string;
        readonly taskQueue: string;
        readonly args: readonly string[];
        readonly signal: string;
        readonly priority: { readonly fairnessKey: string; readonly fairnessWeight?: number };
      },
    ): Promise<unknown>;
  };
}

export interface TemporalWorker {
  /** Resolves after a shutdown. */
  run(): Promise<void>;
  shutdown(): void;
}

/** A level of Temporal's own log lines. */
export type TemporalLogLevel = 'TRACE' | 'DEBUG' | 'INFO' | 'WARN' | 'ERROR';

interface TemporalWorkerPackage {
  readonly Runtime: {
    install(options: {
      readonly logger: unknown;
      readonly shutdownSignals: readonly string[];
      readonly telemetryOptions: {
        readonly logging: {
          readonly filter: { readonly core: TemporalLogLevel };
          readonly forward: { readonly level: TemporalLogLevel };
        };
      };
    }): unknown;
  };
  readonly DefaultLogger: new (
    level: TemporalLogLevel,
    write: (line: { readonly level: TemporalLogLevel; readonly message: string }) => void,
  ) => unknown;
  readonly NativeConnection: {
    connect(options: {
      readonly address: string;
      readonly tls: TemporalTlsFiles | null;
      readonly apiKey?: string;
    }): Promise<TemporalConnection>;
  };
  readonly Worker: {
    create(options: {
      readonly connection: TemporalConnection;
      readonly namespace: string;
      readonly taskQueue: string;
      readonly identity: string;
      readonly workflowBundle: WorkflowBundle;
      readonly activities: { advance(tenantId: string, runId: string, installation: string): Promise<Turn> };
      readonly maxConcurrentActivityTaskExecutions: number;
      readonly maxConcurrentWorkflowTaskExecutions: number;
      readonly maxEagerActivityReservationsPerWorkflowTask: number;
      readonly stickyQueueScheduleToStartTimeout: string;
      readonly shutdownGraceTime: string;
      readonly shutdownForceTime: string;
    }): Promise<TemporalWorker>;
  };
  readonly bundleWorkflowCode: (options: {
    readonly workflowsPath: string;
    readonly logger: unknown;
  }) => Promise<WorkflowBundle>;
}

/** The program of the workflow as its sandbox loads it. */
export interface WorkflowBundle {
  readonly code: string;
}

/** The contents of the files of TLS. */
export interface TemporalTlsFiles {
  readonly serverNameOverride?: string;
  readonly serverRootCACertificate?: Buffer;
  readonly clientCertPair?: { readonly crt: Buffer; readonly key: Buffer };
}
