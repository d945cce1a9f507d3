import { sql } from 'kysely'
import { type Body, LogicOP } from '../../../../contract/call.ts'
import type { Db } from '../../../../server/database/db.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { pageInTurn } from '../../../../server/resource/crud.ts'
import { type Listing, readListing } from '../../../../server/resource/list.ts'
import { columns } from '../../../../server/resource/sql.ts'
import { store } from '../../../../server/resource/store.ts'
import { gateway } from '../../../configuration/gateways/contract.ts'
import { type agentCalls, gatewayPosition, positionFields } from '../contract.ts'
import { areaName } from './areas.ts'

type Position = Partial<Record<(typeof positionFields)[number], unknown>> & { SN: string; AreaCode: string | null }
const gateways = store(gateway)
const nowhere = Object.fromEntries([...positionFields, 'AreaName'].map((name) => [name, null]))
const shown = (row: Position) => ({
  ...Object.fromEntries(positionFields.map((name) => [name, row[name]])),
  AreaName: row.AreaCode && areaName(row.AreaCode),
})

/** A page of gateways with their last positions. */
export const lastPositions = async (db: Db, actor: Actor, q: Listing) => {
  const page = await gateways.list(db, actor, q)
  const rows = await db.rows<Position>(sql`
    select p.* from unnest(${page.Items.map((g) => g.EnterpriseId)}::bigint[], ${page.Items.map((g) => g.SN ?? '')}::text[]) g (enterprise, sn)
    cross join lateral (select ${columns(gatewayPosition, actor)} from gateway_position t
      where t."EnterpriseId" = g.enterprise and t."SN" = g.sn order by t."PositionTime" desc, t."Id" desc limit 1) p`)
  const bySN = new Map(rows.map((row) => [row.SN, row]))
  const Items = page.Items.map((g) => {
    const found = bySN.get(g.SN ?? '')
    return { ...g, ...(found ? shown(found) : nowhere) }
  })
  return { ...page, Items }
}

/** Positions of a gateway, newest first. */
export const positionsOf = async (db: Db, actor: Actor, { GatewayId, ...paging }: Body<typeof agentCalls.positionsOfGateway>) => {
  const { SN } = await gateways.find(db, actor, GatewayId)
  const q = readListing({ ...paging, OrderColumn: 'PositionTime', OrderType: 'desc' })
  const conditions = [{ Field: 'SN', Value: SN ?? '', LogicOP: LogicOP.equals }]
  const page = await pageInTurn(q, actor, () => store(gatewayPosition).list(db, actor, { ...q, conditions }))
  return { ...page, Items: page.Items.map((row) => ({ Id: row.Id, SN: row.SN, ...shown(row as Position) })) }
}
