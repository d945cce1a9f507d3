-- Viewers press no button (ruling 34): roles without any other do not get this one.
update role set "MenuCodes" = array_remove("MenuCodes", 'm10303.export')
where not exists (select 1 from unnest("MenuCodes") code where code like '%.%' and code <> 'm10303.export');
