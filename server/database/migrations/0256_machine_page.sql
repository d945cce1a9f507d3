-- Whoever works on orders or sees equipment has the page that a machine's label opens.
update role set "MenuCodes" = "MenuCodes" || array['m10620'] where "MenuCodes" && '{m10601,m10613}'::text[] and not 'm10620' = any("MenuCodes");
