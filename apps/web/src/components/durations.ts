/** `2 d 4 h`, `3 h 12 min`, `4 h`, `4 min 7 s`, `12 s`: as much as matters. */
export function inDuration(milliseconds: number): string {
  if (milliseconds > 0 && milliseconds < 1_000) return `${String(Math.round(milliseconds))} ms`;
  const seconds = Math.max(0, Math.floor(milliseconds / 1_000));
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  const days = Math.floor(hours / 24);
  if (days > 0) return both(days, 'd', hours % 24, 'h');
  if (hours > 0) return both(hours, 'h', minutes % 60, 'min');
  if (minutes > 0) return both(minutes, 'min', seconds % 60, 's');
  return `${String(seconds)} s`;
}

const both = (count: number, unit: string, rest: number, smaller: string): string =>
  rest === 0 ? `${String(count)} ${unit}` : `${String(count)} ${unit} ${String(rest)} ${smaller}`;

/** How long ago, in one unit. */
export function ago(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1_000);
  if (seconds < 45) return 'just now';
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${String(minutes)} min ago`;
  const hours = Math.round(minutes / 60);
  if (hours < 24) return `${String(hours)} h ago`;
  return `${String(Math.round(hours / 24))} d ago`;
}
