-- Doors, temperature and humidity, and batteries: whoever sees trends sees them.
update role set "MenuCodes" = "MenuCodes" || '{m10322,m10323,m10325}'::text[]
where "RouteRole" = 'admin' or 'm10301' = any("MenuCodes");
