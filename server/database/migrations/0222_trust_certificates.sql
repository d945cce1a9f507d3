-- Who may set channels up trusts the certificates of their servers.
update role set "MenuCodes" = "MenuCodes" || '{m10106.trust}'::text[]
where "RouteRole" = 'admin' or ("RouteRole" = 'editor' and 'm10106.edit' = any("MenuCodes"));
