-- Who manages external senders replays what they sent and no parser could read.
update role set "MenuCodes" = "MenuCodes" || '{m10501.replay}'::text[]
where "RouteRole" = 'admin' and 'm10501.edit' = any("MenuCodes");
