-- What every write of every subgraph leaves beside its effect, in the same transaction.
create table kit.idempotency_records (
  subgraph text not null,
  principal text not null,
  key text not null,
  fingerprint text not null,
  outcome text,
  created_at timestamptz(3) not null,
  primary key (subgraph, principal, key)
);

create index idempotency_records_by_age on kit.idempotency_records (created_at);

create table kit.outbox (
  id bigint generated always as identity primary key,
  subgraph text not null,
  topic text not null,
  payload jsonb not null,
  created_at timestamptz(3) not null
);
