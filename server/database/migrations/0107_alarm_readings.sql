-- The newest judged reading of each point that is watched, a row of 1,024 points: time (epoch ms) and value of each, as floats of eight
-- bytes. All that had arrived up to "N" is in it. States of points and rules are saved when they change, and say themselves up to which
-- arrival number they are complete; those of before have no such number, and readings of blocks are newer than they are.
create table alarm_reading (
    "Block" bigint primary key,
    "N" bigint not null,
    "Readings" bytea not null
);
select penstock_system_table('alarm_reading');
