-- The second entry of the rules.
update role set "MenuCodes" = "MenuCodes" || '{m10203}'::text[] where "RouteRole" = 'admin';
