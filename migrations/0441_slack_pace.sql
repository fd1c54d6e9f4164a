-- The turn of a call to Slack is decided by one statement, in the transaction that takes the message.

create function slack_pace_take(
  new_channel text, call text, step_ms integer, burst_ms integer, turn_ms integer, early_ms integer) returns integer
  language plpgsql as $$
declare
  pace slack_pace;
  now_at timestamptz;
  turn timestamptz;
  step constant interval := step_ms * interval '1 millisecond';
begin
  insert into slack_pace (tenant_id, channel_id, free_at, queued_until)
  values (countersign_current_tenant(), new_channel, '-infinity', '-infinity')
  on conflict (tenant_id, channel_id) do nothing;
  select * into strict pace from slack_pace
   where tenant_id = countersign_current_tenant() and channel_id = new_channel for update;
  now_at := clock_timestamp();
  if pace.free_at <= now_at
     and (call <> 'reply' or pace.new_until + turn_ms * interval '1 millisecond' <= now_at) then
    update slack_pace
       set free_at = greatest(pace.free_at, now_at - burst_ms * interval '1 millisecond') + step,
           new_until = case when call = 'message' and pace.new_until <= now_at then '-infinity' else pace.new_until end
     where tenant_id = countersign_current_tenant() and channel_id = new_channel;
    return 0;
  end if;
  -- A call that comes a little early keeps its turn. Any other gets a turn of its own, so that not all come back at once.
  if pace.free_at > now_at and pace.free_at < now_at + early_ms * interval '1 millisecond' then
    turn := pace.free_at;
  elsif call = 'message' then
    turn := greatest(pace.new_until + step, pace.free_at);
    update slack_pace set new_until = turn where tenant_id = countersign_current_tenant() and channel_id = new_channel;
  else
    turn := greatest(pace.queued_until + step, pace.free_at, pace.new_until + step);
    update slack_pace set queued_until = turn where tenant_id = countersign_current_tenant() and channel_id = new_channel;
  end if;
  return greatest(10, ceil(extract(epoch from turn - now_at) * 1000));
end $$;

comment on function slack_pace_take(text, text, integer, integer, integer, integer) is
  'Counts a call to Slack (message, reply or edit) of the current tenant if it may be made now, and returns 0; else the milliseconds to wait. With the rights of the caller.';
