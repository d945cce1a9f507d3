-- The lists of all points, and of gateways with their points.
update role set "MenuCodes" = "MenuCodes" || '{m10114,m10115}'::text[] where 'm10104' = any("MenuCodes") and not 'm10114' = any("MenuCodes");
