-- The wall view of chosen projects, for roles that administer a tenant.
update role set "MenuCodes" = "MenuCodes" || '{m10123}'::text[] where "RouteRole" = 'admin' and not 'm10123' = any("MenuCodes");
