-- The map of projects. Whoever sees live values sees where they come from.
update role set "MenuCodes" = "MenuCodes" || '{m10311}'::text[] where "RouteRole" = 'admin' or 'm10108' = any("MenuCodes");
