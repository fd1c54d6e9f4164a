import { counted } from '#lib/words';

/** How long ago, in one unit. */
export function ago(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1_000);
  if (seconds < 45) return 'just now';
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${String(minutes)} min ago`;
  const hours = Math.round(minutes / 60);
  if (hours < 24) return `${String(hours)} h ago`;
  return `${counted(Math.round(hours / 24), 'day')} ago`;
}
