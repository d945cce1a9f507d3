-- Maintainers assign people to shifts.
update role set "MenuCodes" = "MenuCodes" || array(select code from unnest('{m10621,m10621.add,m10621.edit,m10621.remove}'::text[]) code where not code = any("MenuCodes"))
where "RouteRole" = 'editor' and "RoleName" in ('Maintainer', '维护员', 'Técnico de mantenimiento', '保守担当者');
