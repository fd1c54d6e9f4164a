import { errorCode, FailureError, type Failure } from '#lib/kernel';

/** The address to listen at, and the setting that names its port. */
export interface ListenAddress {
  readonly host: string;
  readonly port: number;
  readonly setting: string;
}

/**
 * The result of `listen`, once it listens at `address`.
 *
 * @throws {FailureError} `start.address_in_use`, `start.address_refused`; and other errors of `listen` as they are.
 */
export async function listening<T>(address: ListenAddress, listen: () => Promise<T>): Promise<T> {
  try {
    return await listen();
  } catch (error) {
    const failure = failureOf(errorCode(error), address);
    if (failure === null) throw error;
    throw new FailureError(failure, { cause: error });
  }
}

function failureOf(code: string | undefined, { host, port, setting }: ListenAddress): Failure | null {
  const where = `${host}:${String(port)} (${setting})`;
  switch (code) {
    case 'EADDRINUSE':
      return {
        kind: 'unavailable',
        code: 'start.address_in_use',
        message: `Something listens on ${where} already, probably another Countersign.`,
        action: `Use the one that runs, or stop it; or set ${setting} to a free port.`,
        details: { host, port, setting },
      };
    case 'EACCES':
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return {
        kind: 'unavailable',
        code: 'start.address_refused',
        message: `The system does not let this process listen on ${where} (${code}).`,
        action: `Set ${setting} to a port above 1023, and ${setting.replace('_PORT', '_HOST')} to an address of this machine.`,
        details: { host, port, setting },
      };
    default:
      return null;
  }
}
