-- The screen of questions to data: for managers and editors, and for whoever looks at circuits.
update role set "MenuCodes" = (select array_agg(distinct code) from unnest("MenuCodes" || '{m107,m10715}'::text[]) code)
    where "RouteRole" = 'admin' or "RouteRole" = 'editor' and "RoleName" in ('Editor', '编辑员', '編集者') or 'm10701' = any("MenuCodes");
