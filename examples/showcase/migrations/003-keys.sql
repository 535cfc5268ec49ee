-- A post that is sent again because no response came is the same post.
alter table posts add key text check (char_length(key) between 1 and 100);
create unique index posts_key on posts (author, key, text);

-- Each event removes those that no page will ask for any more.
create or replace function note_event() returns trigger language plpgsql as $$
declare
  event integer;
begin
  perform pg_advisory_xact_lock(7001);
  if tg_op = 'INSERT' then
    insert into events (kind, post) values ('added', new.id) returning id into event;
  else
    insert into events (kind, post) values ('removed', old.id) returning id into event;
  end if;
  delete from events where id <= event - 10000;
  return null;
end $$;
