#!/bin/sh
# Writes the secrets of docker-compose.yml, and a certificate for localhost, into
# deploy/compose/secrets. Existing files remain unchanged. Needs openssl.
#
#   deploy/compose/create-secrets.sh [directory]
set -eu

directory="${1:-"$(dirname "$0")/secrets"}"
# Only the owner may enter the directory. The files are readable, because containers read them as
# users that do not exist on this machine.
mkdir -p "$directory"
chmod 700 "$directory"
umask 022

create() { # create <name> <content>
  if [ -e "$directory/$1" ]; then return; fi
  printf '%s\n' "$2" >"$directory/$1"
}

for name in grafana_password identity_secret postgres_password redis_password service_secret webhooks_key; do
  create "$name" "$(openssl rand -hex 32)"
done
create database_url "postgresql://gatefold:$(cat "$directory/postgres_password")@postgres:5432/gatefold"
create redis_url "redis://:$(cat "$directory/redis_password")@valkey:6379"

if [ ! -e "$directory/tls_key" ]; then
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 365 -subj '/CN=localhost' \
    -addext 'subjectAltName=DNS:localhost,IP:127.0.0.1' -keyout "$directory/tls_key" -out "$directory/tls_certificate" 2>/dev/null
  chmod 644 "$directory/tls_key"
fi
printf 'The secrets are in %s. Back up webhooks_key: without it, the secrets of webhooks cannot be recovered.\n' "$directory"
