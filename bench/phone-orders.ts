// Orders of a phone: with a checklist and a part.
import { sql } from 'kysely'
import type { Database } from '../server/database/db.ts'
import { seedTenants } from './world.ts'

const openOrders = 20
export const items = ['Coupling is tight', 'Drain is free']
/** Orders of `manager1` with their history and a checklist, and one part in stock that each of them has reserved. */
export const seed = async ({ system: db }: Database) => {
  const [tenant] = await seedTenants({ system: db } as Database, 1)
  const [user] = await db.rows<{ Id: number }>(sql`select "Id" from "user" where "UserNO" = 'manager1'`)
  await db.rows(sql`
    with made as (
      insert into mtn_maintenance_order ("EnterpriseId", "Title", "ProjectId", "Status", "AssignUserId", "FaultDesc", "PlanFinishTime", "Items")
      select ${tenant}, 'Pump ' || n || ' leaks', p."Id", 1, ${user!.Id}, 'Water below the coupling', now() + n * interval '1 hour',
        ${JSON.stringify(items.map((ItemName) => ({ ItemName, ValueType: 1, Required: 1 })))}::jsonb
      from generate_series(1, ${openOrders}::int) n, project p where p."EnterpriseId" = ${tenant} order by n returning "Id")
    insert into mtn_order_history ("EnterpriseId", "OrderId", "UserId", "Step", "FromStatus", "ToStatus")
    select ${tenant}, "Id", ${user!.Id}, step, "from", "to" from made, (values ('open', null, 0), ('dispatch', 0, 1)) s (step, "from", "to")`)
  const [place] = await db.rows<{ Id: number }>(
    sql`insert into mtn_place ("EnterpriseId", "PlaceName") values (${tenant}, 'Shelf') returning "Id"`,
  )
  const [part] = await db.rows<{ Id: number }>(sql`
    insert into mtn_component ("EnterpriseId", "ComponentName", "ComponentNo", "StockQty") values (${tenant}, 'Shaft seal', 'S-1', 100) returning "Id"`)
  await db.rows(sql`
    insert into mtn_component_stock ("EnterpriseId", "ComponentId", "PlaceId", "Qty") values (${tenant}, ${part!.Id}, ${place!.Id}, 100)`)
  await db.rows(sql`
    insert into mtn_order_part ("EnterpriseId", "OrderId", "ComponentId", "Qty") select ${tenant}, "Id", ${part!.Id}, 1 from mtn_maintenance_order`)
}
