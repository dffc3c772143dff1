-- Which sets of sample data were put in; each goes in once, however often the process starts.
create table kit.seeds (
  name text primary key,
  seeded_at timestamptz not null default now()
);
