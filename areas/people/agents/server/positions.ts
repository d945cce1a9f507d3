import { sql } from 'kysely'
import { LogicOP } from '../../../../contract/call.ts'
import type { Db } from '../../../../server/database/db.ts'
import { FieldFaults } from '../../../../server/http/faults.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import type { Listing } from '../../../../server/resource/list.ts'
import { columns } from '../../../../server/resource/sql.ts'
import { store } from '../../../../server/resource/store.ts'
import { gateway } from '../../../configuration/gateways/contract.ts'
import { gatewayPosition, positionFields } from '../contract.ts'
import { areaName } from './areas.ts'

type Position = Partial<Record<(typeof positionFields)[number], unknown>> & { SN: string; AreaCode: string | null }
const gateways = store(gateway)
const nowhere = Object.fromEntries([...positionFields, 'AreaName'].map((name) => [name, null]))
const shown = (row: Position) => ({
  ...Object.fromEntries(positionFields.map((name) => [name, row[name]])),
  AreaName: row.AreaCode && areaName(row.AreaCode),
})

/** A page of gateways, each with its last position. */
export const lastPositions = async (db: Db, actor: Actor, q: Listing) => {
  const page = await gateways.list(db, actor, q)
  const rows = await db.rows<Position>(sql`
    select p.* from unnest(${page.Items.map((g) => g.EnterpriseId)}::bigint[], ${page.Items.map((g) => g.SN ?? '')}::text[]) g (enterprise, sn)
    cross join lateral (select ${columns(gatewayPosition, actor)} from gateway_position t
      where t."EnterpriseId" = g.enterprise and t."SN" = g.sn order by t."PositionTime" desc, t."Id" desc limit 1) p`)
  const bySN = new Map(rows.map((row) => [row.SN, row]))
  const Items = page.Items.map((g) => {
    const found = bySN.get(g.SN)
    return { ...g, ...(found ? shown(found) : nowhere) }
  })
  return { ...page, Items }
}

/** The positions of the gateway that the condition `GatewayId` names, newest first. */
export const positionsOf = async (db: Db, actor: Actor, q: Listing) => {
  const isGateway = (c: Listing['conditions'][number]) => 'Field' in c && c.Field === 'GatewayId'
  const id = Number((q.conditions.find(isGateway) as { Value?: unknown } | undefined)?.Value)
  if (!Number.isSafeInteger(id)) throw new FieldFaults([{ field: 'GatewayId', rule: 'required' }])
  const { SN } = await gateways.find(db, actor, id)
  const conditions = [...q.conditions.filter((c) => !isGateway(c)), { Field: 'SN', Value: SN ?? '', LogicOP: LogicOP.equals }]
  const page = await store(gatewayPosition).list(db, actor, {
    ...q,
    order: q.order ?? 'PositionTime',
    descending: q.order ? q.descending : true,
    conditions,
  })
  return { ...page, Items: page.Items.map((row) => ({ Id: row.Id, SN: row.SN, ...shown(row as Position) })) }
}
