import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { queryOf } from '../api/query.js';

const TYPING_MS = 150;
const SHORTEST = 2;
const LONGEST = 200;

/** The search results of a text, once the typing pauses. */
export function useFindings(text: string) {
  const typed = text.trim().slice(0, LONGEST);
  const [wanted, setWanted] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => {
      setWanted(typed);
    }, TYPING_MS);
    return () => {
      clearTimeout(timer);
    };
  }, [typed]);
  const enabled = wanted.length >= SHORTEST;
  const found = useQuery({
    ...queryOf('/v1/search', { query: { text: wanted, limit: 5 } }),
    enabled,
    placeholderData: keepPreviousData,
    staleTime: 10_000,
  });
  return {
    items: enabled && typed.length >= SHORTEST ? (found.data?.items ?? []) : [],
    isPending: typed.length >= SHORTEST && (typed !== wanted || found.isFetching),
    error: found.error,
  };
}
