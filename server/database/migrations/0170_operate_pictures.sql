update role set "MenuCodes" = "MenuCodes" || '{m10125.operate}'::text[] where "RouteRole" = 'admin' or ("RouteRole" = 'editor' and 'm10104.write' = any("MenuCodes"));
