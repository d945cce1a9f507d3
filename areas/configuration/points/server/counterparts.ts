// Devices and points of a copied project with the same names as in the original. Gateways with duplicate names do not match.
import { sql } from 'kysely'
import type { Sql } from '../../../../server/resource/sql.ts'

/** The point of project `to` with the names of gateway `g`, device `d` and point `t`, else null. */
export const pointInCopy = (to: number): Sql => sql`
  (select case when count(*) = 1 then min(n."Id") end from gateway ng join device nd on nd."GatewayId" = ng."Id" and nd."DeviceName" = d."DeviceName"
    join point n on n."DeviceId" = nd."Id" and n."ParaName" = t."ParaName"
    where ng."ProjectId" = ${to} and ng."GatewayName" = g."GatewayName")`

/** The device of project `to` with the names of gateway `g` and device `t`, else null. */
export const deviceInCopy = (to: number): Sql => sql`
  (select case when count(*) = 1 then min(nd."Id") end from gateway ng join device nd on nd."GatewayId" = ng."Id"
    where ng."ProjectId" = ${to} and ng."GatewayName" = g."GatewayName" and nd."DeviceName" = t."DeviceName")`
