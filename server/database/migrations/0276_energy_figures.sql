-- Screens of what energy was used. Managers and editors see what it cost and take it along; whoever else looks at circuits sees amounts.
update role set "MenuCodes" = (select array_agg(distinct code) from unnest("MenuCodes" ||
    '{m107,m10701,m10701.cost,m10703,m10703.export,m10705,m10706,m10708,m10709}'::text[]) code)
    where "RouteRole" = 'admin' or "RouteRole" = 'editor' and "RoleName" in ('Editor', '编辑员', '編集者');
update role set "MenuCodes" = (select array_agg(distinct code) from unnest("MenuCodes" ||
    '{m107,m10701,m10703,m10705,m10706,m10708,m10709}'::text[]) code)
    where "RouteRole" is distinct from 'admin' and 'm10702' = any("MenuCodes") and not 'm10701' = any("MenuCodes");
