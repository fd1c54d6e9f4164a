import { useQuery } from '@tanstack/react-query';
import { queryOf } from './query.js';

const useChannels = () => useQuery({ ...queryOf('/v1/notification-channels'), staleTime: Infinity }).data?.items;

/** The title of a notification channel; its name until the titles are read. */
export function useChannelTitles(): (name: string) => string {
  const channels = useChannels();
  return (name) => channels?.find((channel) => channel.name === name)?.title ?? name;
}

/** The part that the installation lacks to send by a channel. Null if it can send, and until that is read. */
export function useChannelMissing(): (name: string) => string | null {
  const channels = useChannels();
  return (name) => channels?.find((channel) => channel.name === name)?.missing ?? null;
}
