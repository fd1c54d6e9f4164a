/** Whether a process has this id; one of another user counts. */
export function isRunning(pid: number): boolean;
