-- A run goes on in the trace of the request that made it, also after a wait of hours or in another process.

alter table run add column trace_parent text
  constraint run_trace_parent_check check (trace_parent ~ '^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$');
comment on column run.trace_parent is 'The trace that it was made in, as W3C Trace Context writes it; null where nobody traced.';
