-- Accounts, posts with pictures, what has happened, and sessions.

create table users (
  id integer generated always as identity primary key,
  name text not null,
  password text not null,
  role text not null default 'member' check (role in ('member', 'admin')),
  created timestamptz not null default now()
);
create unique index users_name on users (lower(name));

create table posts (
  id integer generated always as identity primary key,
  author integer not null references users on delete cascade,
  text text not null check (char_length(text) between 1 and 500),
  created timestamptz not null default now(),
  words tsvector generated always as (to_tsvector('simple', text)) stored
);
create index posts_author on posts (author);
create index posts_words on posts using gin (words);

create table pictures (
  id uuid primary key default gen_random_uuid(),
  post integer not null unique references posts on delete cascade,
  alt text not null,
  width integer not null,
  height integer not null,
  large bytea not null,
  small bytea not null
);

-- What pages are told live. A client that reconnects gets everything after the id that it saw last.
create table events (
  id integer generated always as identity primary key,
  kind text not null,
  post integer not null
);

-- Every post that comes or goes is noted here, also when it goes with its author. The lock lasts until the end of the
-- transaction: ids are given in the order in which others see them, so that nobody skips one.
create function note_event() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(7001);
  if tg_op = 'INSERT' then
    insert into events (kind, post) values ('added', new.id);
  else
    insert into events (kind, post) values ('removed', old.id);
  end if;
  return null;
end $$;
create trigger note_event after insert or delete on posts for each row execute function note_event();

-- The table of connect-pg-simple.
create table session (
  sid varchar primary key,
  sess json not null,
  expire timestamp(6) not null
);
create index session_expire on session (expire);

-- Secrets that were made at the first start.
create table settings (
  name text primary key,
  value text not null
);
