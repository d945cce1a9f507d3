-- Who may set channels up looks into devices and reads along.
update role set "MenuCodes" = "MenuCodes" || '{m10106.browse,m10106.trace}'::text[]
where "RouteRole" = 'admin' or ("RouteRole" = 'editor' and 'm10106.edit' = any("MenuCodes"));
