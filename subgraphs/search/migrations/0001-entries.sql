-- Everything that can be found, as the services that own it publish it: a name or title, and the words below it.
create view search.entries as
  select 'User' collate "C" as type, id, name collate "C" as title, null as body from users.directory
  union all
  select type collate "C", id, title collate "C", body from posts.texts;
