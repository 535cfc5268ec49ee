#!/bin/sh
# Replaces the data of PostgreSQL and Redis with those of a backup. Stop all processes of the application first, and Redis,
# whose directory is given:
#
#     DATABASE_URL=postgres://... deploy/backup/restore.sh /var/backups/crema/2026-01-31T03-00-00Z /var/lib/redis
#
# Without the directory, Redis is left as it is. Needs pg_restore, redis-server and redis-cli.
set -eu
umask 077

backup=${1:?Usage: restore.sh BACKUP [DIRECTORY OF REDIS]}
directory=${2:-}
: "${DATABASE_URL:?is missing}"
(cd "$backup" && sha256sum --check --quiet SHA256SUMS)

# All of it, or nothing: if it fails, the database is as before.
pg_restore --dbname="$DATABASE_URL" --clean --if-exists --no-owner --no-privileges --single-transaction \
  --exit-on-error "$backup/postgres.dump"

if [ -n "$directory" ]; then
  # A server with an append-only file ignores dump.rdb. So the data of the backup are loaded by a server of our own, which
  # only this user can reach, and written from there as the one or the other server expects.
  made=$(mktemp -d "$directory/.restored-XXXXXX")
  trap 'rm -rf "$made"' EXIT
  cp "$backup/redis.rdb" "$made/dump.rdb"
  redis-server --port 0 --unixsocket "$made/socket" --dir "$made" --save '' --appendonly no --daemonize yes \
    --logfile "$made/log" --pidfile "$made/pid" >/dev/null
  send() { redis-cli -s "$made/socket" "$@"; }
  until [ "$(send ping 2>/dev/null)" = PONG ]; do
    if grep -q -i 'fatal\|aborting' "$made/log" 2>/dev/null; then cat "$made/log" >&2 && exit 1; fi
    sleep 0.1
  done
  send config set appendonly yes >/dev/null
  while send info persistence | grep -q 'aof_rewrite_in_progress:1\|aof_rewrite_scheduled:1'; do sleep 0.1; done
  send info persistence | grep -q 'aof_last_bgrewrite_status:ok'
  send shutdown nosave 2>/dev/null || true
  while [ -e "$made/pid" ]; do sleep 0.1; done
  rm -rf "$directory/appendonlydir" "$directory/dump.rdb"
  mv "$made/appendonlydir" "$made/dump.rdb" "$directory/"
  # The files belong to whoever the directory belongs to.
  chown -R --reference="$directory" "$directory/appendonlydir" "$directory/dump.rdb"
fi
