-- Replies, edits, likes, guests, and a search that knows English word forms.

alter table users drop constraint users_role_check;
alter table users add constraint users_role_check check (role in ('guest', 'member', 'admin'));

alter table posts add parent integer references posts on delete cascade;
alter table posts add edited timestamptz;
create index posts_parent on posts (parent);

create table likes (
  post integer references posts on delete cascade,
  member integer references users on delete cascade,
  primary key (post, member)
);
create index likes_member on likes (member);

-- Each word as it is written, and as its English stem: "grinding" also finds "grinds".
alter table posts drop column words;
alter table posts add words tsvector
  generated always as (to_tsvector('simple', text) || to_tsvector('english', text)) stored;
create index posts_words on posts using gin (words);

-- Turns what was typed into a query. Words also match as prefixes, except excluded ones: -tea must not exclude "team".
create function search_query(typed text) returns tsquery language sql immutable as $$
  select regexp_replace(
      regexp_replace(websearch_to_tsquery('simple', typed)::text, '(''(?:[^'']|'''')+'')', '\1:*', 'g'),
      '(!''(?:[^'']|'''')+''):\*', '\1', 'g')::tsquery
    || websearch_to_tsquery('english', typed)
$$;

-- A post that changes, and one whose replies or likes change, is noted too.
create function note(what text, which integer) returns void language plpgsql as $$
declare
  event integer;
begin
  perform pg_advisory_xact_lock(7001);
  insert into events (kind, post) values (what, which) returning id into event;
  delete from events where id <= event - 10000;
end $$;

create or replace function note_event() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform note('added', new.id);
    perform note('changed', new.parent) where new.parent is not null;
  elsif tg_op = 'UPDATE' then
    perform note('changed', new.id);
  else
    perform note('removed', old.id);
    perform note('changed', p.id) from posts p where p.id = old.parent;
  end if;
  return null;
end $$;
create trigger note_edit after update of text on posts for each row execute function note_event();

create function note_like() returns trigger language plpgsql as $$
begin
  -- Likes that are deleted together with their post change nothing.
  perform note('changed', p.id) from posts p where p.id = coalesce(new.post, old.post);
  return null;
end $$;
create trigger note_like after insert or delete on likes for each row execute function note_like();
