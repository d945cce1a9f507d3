-- The time of proof of a repair in running hours of its machine: those counted so far, until when, and the earliest end.
alter table mtn_maintenance_order
    add "ProofRun" double precision not null default 0,
    add "ProofFrom" timestamptz,
    add "ProofTime" timestamptz;
