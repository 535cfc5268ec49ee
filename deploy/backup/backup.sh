#!/bin/sh
# Writes the data of PostgreSQL and Redis to a new folder, while both are in use:
#
#     DATABASE_URL=postgres://... REDIS_URL=redis://... deploy/backup/backup.sh /var/backups/crema
#
# Needs pg_dump, of the server's major version or newer, and redis-cli. The folder has its name only when everything is in
# it and can be read, so that a backup that broke off is never taken for one.
set -eu
umask 077

home=${1:?Usage: backup.sh FOLDER}
: "${DATABASE_URL:?is missing}"
name=$(date -u +%Y-%m-%dT%H-%M-%SZ)
unfinished=$home/.unfinished-$name
mkdir -p "$home"
mkdir "$unfinished"
trap 'rm -rf "$unfinished"' EXIT

# One snapshot of all tables. No owners and rights: those of the database that it is restored to apply.
pg_dump --dbname="$DATABASE_URL" --format=custom --no-owner --no-privileges --file="$unfinished/postgres.dump"
pg_restore --list "$unfinished/postgres.dump" >"$unfinished/postgres.list"

# Sessions and limits, a moment later. What is lost with them can be had again: everybody logs in.
if [ -n "${REDIS_URL:-}" ]; then
  redis-cli -u "$REDIS_URL" --no-auth-warning --rdb "$unfinished/redis.rdb" >/dev/null
  # The end of the connection does not make the program above fail: the file ends with 0xff and 8 bytes of a checksum.
  [ "$(tail -c 9 "$unfinished/redis.rdb" | head -c 1 | od -An -tx1 | tr -d ' ')" = ff ]
fi

(cd "$unfinished" && sha256sum ./* >SHA256SUMS)
mv "$unfinished" "$home/$name"
echo "$home/$name"
