-- A change of an account ends its sessions in the same transaction: a tenant may end those of its own people, and read no more of them.
grant select ("Id", "UserId", "EndTime"), update ("EndTime", "EndReason") on session to penstock_tenant;
create policy tenant on session to penstock_tenant
    using (exists (select 1 from "user" u where u."Id" = session."UserId"))
    with check ("EndTime" is not null);
