import { useQuery } from '@tanstack/react-query';
import { queryOf } from './query.js';

/** The title of a notification channel; its name until the titles are read. */
export function useChannelTitles(): (name: string) => string {
  const { data } = useQuery({ ...queryOf('/v1/notification-channels'), staleTime: Infinity });
  return (name) => data?.items.find((channel) => channel.name === name)?.title ?? name;
}
