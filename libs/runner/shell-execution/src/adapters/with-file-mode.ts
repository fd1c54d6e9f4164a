/** New files and folders of a line are writable for their owner alone, and readable for all. */
const MASK = 0o022;

/** Creates a file, or starts a program, under the umask of the shell. Only synchronous work: the umask is the whole process's. */
export function withFileMode<T>(work: () => T): T {
  const before = process.umask(MASK);
  try {
    return work();
  } finally {
    process.umask(before);
  }
}
