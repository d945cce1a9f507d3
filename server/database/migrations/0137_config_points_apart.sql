-- Points make up most of a configuration. In a column of their own, the small tables can be read without decompressing them.
alter table config_content add column "Points" jsonb;
update config_content set "Points" = "Content"->'point', "Content" = "Content" - 'point';
alter table config_content alter column "Points" set not null;
