-- Graphs choose the ids of their users: numbers, UUIDs or subjects of an identity provider.
alter table webhooks.endpoints alter column owner_id type text collate "C" using owner_id::text;
-- Events are read with the roles and the scopes that the owner had when the owner last wrote here.
alter table webhooks.endpoints add column owner_scopes text[] not null default '{}';
