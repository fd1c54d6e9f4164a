import { useQueryClient } from '@tanstack/react-query';
import { Bot } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import type { CommentView } from '#lib/api-schemas';
import { markCommentsRead, useAddComment, useComments, type About } from '../api/comments.js';
import { readAgain } from '../api/read-again.js';
import { AgentText, InertText } from '../components/agent-text.js';
import { Button } from '../components/button.js';
import { Card } from '../components/card.js';
import { ErrorNote } from '../components/error-note.js';
import { Field } from '../components/field.js';
import { Skeleton } from '../components/skeleton.js';
import { TimeAgo } from '../components/times.js';

/** The comments on a request or a change, and the form for another. */
export function Conversation({ about }: { readonly about: About }) {
  const comments = useComments(about);
  const items = comments.data?.pages.flatMap((page) => page.items) ?? [];
  useRead(about, items.at(-1)?.id);
  const section = useRef<HTMLDivElement>(null);
  const { hash } = useLocation();
  useEffect(() => {
    if (hash === '#conversation' && comments.isSuccess) section.current?.scrollIntoView();
  }, [hash, comments.isSuccess]);
  return (
    <div id="conversation" ref={section} className="scroll-mt-20">
      <Card title="Conversation">
        <div className="flex flex-col gap-4">
          {comments.isPending && <Skeleton className="h-16" />}
          {comments.error !== null && <ErrorNote error={comments.error} retry={() => void comments.refetch()} />}
          {comments.isSuccess && items.length === 0 && <p className="text-sm text-muted">Nobody has commented yet.</p>}
          {items.length > 0 && (
            <ol aria-label="Comments" className="flex flex-col gap-4">
              {items.map((comment) => (
                <li key={comment.id}>
                  <Said comment={comment} />
                </li>
              ))}
            </ol>
          )}
          {comments.hasNextPage && (
            <Button size="sm" busy={comments.isFetchingNextPage} onClick={() => void comments.fetchNextPage()}>
              Show later comments
            </Button>
          )}
          <NewComment about={about} />
        </div>
      </Card>
    </div>
  );
}

/** From the moment it is shown, nothing of it waits in the inbox. */
function useRead(about: About, latest: string | undefined): void {
  const queries = useQueryClient();
  const { type, id } = about;
  useEffect(() => {
    if (latest === undefined) return;
    markCommentsRead({ type, id })
      .then(() => readAgain(queries, '/v1/unread-comments'))
      // The page does not depend on it.
      .catch(() => undefined);
  }, [queries, type, id, latest]);
}

function Said({ comment }: { readonly comment: CommentView }) {
  const { author, body, created_at: at, via } = comment;
  if (author.kind === 'agent')
    return (
      <div className="flex flex-col gap-1">
        <p className="flex flex-wrap items-center gap-x-2 text-sm">
          <Bot aria-hidden className="size-4 text-muted" />
          <span className="font-medium">
            <InertText text={author.display_name} />
          </span>
          <span className="text-muted">
            agent, <TimeAgo at={at} />
          </span>
        </p>
        <AgentText by={`${author.display_name} (agent)`} text={body} />
      </div>
    );
  return (
    <div className="text-sm">
      <p className="flex flex-wrap items-center gap-x-2">
        <span className="font-medium">
          <InertText text={author.display_name} />
        </span>
        <span className="text-muted">
          <TimeAgo at={at} />
          {via === 'slack' && ', in Slack'}
        </span>
      </p>
      <p className="mt-0.5 break-words whitespace-pre-wrap">
        <InertText text={body} />
      </p>
    </div>
  );
}

function NewComment({ about }: { readonly about: About }) {
  const [text, setText] = useState('');
  const add = useAddComment(about);
  return (
    <form
      className="flex flex-col gap-2 print:hidden"
      onSubmit={(event) => {
        event.preventDefault();
        add.mutate(text, {
          onSuccess: () => {
            setText('');
          },
        });
      }}
    >
      <Field
        label="Your comment"
        hint="A comment decides nothing. Countersign tells the people concerned; @ and a name or address calls somebody."
      >
        {(control) => (
          <textarea
            {...control}
            rows={2}
            maxLength={4_000}
            value={text}
            onChange={(event) => {
              setText(event.target.value);
            }}
          />
        )}
      </Field>
      {add.error !== null && <ErrorNote error={add.error} />}
      <div className="flex justify-end">
        <Button type="submit" busy={add.isPending} disabled={text.trim() === ''}>
          Comment
        </Button>
      </div>
    </form>
  );
}
