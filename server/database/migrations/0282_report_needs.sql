-- Reports with blocks of other areas: codes that their readers hold, and the addresses outside that also get money.
alter table report_run add "Needs" text[] not null default '{}';
alter table report_schedule add "MoneyOutside" jsonb not null default '[]';
