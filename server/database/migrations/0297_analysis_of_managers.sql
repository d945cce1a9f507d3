-- Data analysis is the managers'; editors reach the ledger of chemicals from dosing.
update role set "MenuCodes" = array_remove("MenuCodes", 'm10329') where "RouteRole" = 'editor';
