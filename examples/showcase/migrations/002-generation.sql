-- A session holds the generation of its account. A new password begins a new one, which ends all other sessions.
alter table users add generation integer not null default 0;
