// The meters of a circuit over time.
import { sql } from 'kysely'
import type { Db } from '../../../../server/database/db.ts'
import { FieldFaults, notFound } from '../../../../server/http/faults.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { visible } from '../../../../server/resource/sql.ts'
import type { Check } from '../../../../server/resource/store.ts'
import { energyInfo } from '../contract.ts'
import { checkMeter } from './check.ts'

type Values = { EnergyInfoId?: number; From?: string; ParaId?: number | null }

const projectOf = async (db: Db, actor: Actor, id: number) => {
  const [row] = await db.rows<{ ProjectId: number }>(
    sql`select "ProjectId" from energy_info t where "Id" = ${id} and ${visible(energyInfo, actor)} for no key update`,
  )
  if (!row) throw notFound()
  return row.ProjectId
}

/**
 * A source lies between its neighbours: a new one after all others, a changed one where it was. None begins in the future. A start time
 * that is already in use violates the unique key (409).
 */
const checkFrom = async (db: Db, actor: Actor, of: { circuit: number; from: string; id?: number | undefined }) => {
  const zone = actor.zone ?? actor.tenantZone
  const at = sql`(${of.from}::timestamp at time zone ${zone}::text)`
  const wall = sql`to_char("From" at time zone ${zone}::text, 'YYYY-MM-DD HH24:MI:SS')`
  const [found] = await db.rows<{ Before: string | null; After: string | null; Future: boolean }>(sql`
    with own as (select "From" as at from energy_source where "Id" = ${of.id ?? 0}),
      others as (select "From", ${wall} as wall from energy_source where "EnergyInfoId" = ${of.circuit} and "Id" <> ${of.id ?? 0})
    select
      (select wall from others where "From" > ${at} and "From" < coalesce((select at from own), 'infinity') order by "From" desc limit 1) as "Before",
      (select wall from others where "From" < ${at} and "From" > (select at from own) order by "From" limit 1) as "After",
      ${at} > now() as "Future"`)
  const refuse = (rule: string, values = {}) => new FieldFaults([{ field: 'From', rule, values }])
  if (found?.Future) throw refuse('inFuture')
  if (found?.Before) throw refuse('sourceBefore', { from: found.Before })
  if (found?.After) throw refuse('sourceAfter', { from: found.After })
}

export const sourceCheck: Check = async (db, actor, given, held) => {
  const now = { ...held, ...given } as Values
  // A circuit that the person cannot see is refused below, as an unknown reference.
  const seen = held
    ? true
    : (await db.rows(sql`select 1 from energy_info t where "Id" = ${now.EnergyInfoId} and ${visible(energyInfo, actor)}`)).length
  if (!seen) return given
  const project = await projectOf(db, actor, now.EnergyInfoId!)
  if (given.From !== undefined) await checkFrom(db, actor, { circuit: now.EnergyInfoId!, from: now.From!, id: held?.Id })
  const ParaId = given.ParaId as number | null | undefined
  if (typeof ParaId === 'number' && ParaId !== (held as Values | undefined)?.ParaId) await checkMeter(db, actor, ParaId, project)
  return given
}
