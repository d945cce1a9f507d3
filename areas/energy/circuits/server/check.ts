import { sql } from 'kysely'
import type { Db } from '../../../../server/database/db.ts'
import { FieldFaults } from '../../../../server/http/faults.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { visible } from '../../../../server/resource/sql.ts'
import type { Check } from '../../../../server/resource/store.ts'
import { calDataType } from '../../../analysis/telemetry/server/service.ts'
import { point } from '../../../configuration/points/contract.ts'
import { type EnergyType, fromFormula, unitsOfTypes } from '../contract.ts'

type Values = { ProjectId?: number; EnergyType?: EnergyType; Unit?: string | null; Source?: number; Formula?: string | null }

/** A running counter, amounts, or a rate. */
const counting = [1, 2, 4]

/** The meter is a point of the project that counts something: whoever sees the circuit sees its readings. */
export const checkMeter = async (db: Db, actor: Actor, ParaId: number, ProjectId: number) => {
  const [found] = await db.rows<{ ProjectId: number; CalDataType: number }>(sql`
    select g."ProjectId", ${calDataType} as "CalDataType"
    from point t join device d on d."Id" = t."DeviceId" join gateway g on g."Id" = d."GatewayId" left join point_meaning m on m."PointId" = t."Id"
    where t."Id" = ${ParaId} and ${visible(point, actor)}`)
  const refuse = (rule: string) => new FieldFaults([{ field: 'ParaId', rule }])
  if (!found) throw refuse('unknownReference')
  if (found.ProjectId !== ProjectId) throw refuse('pointElsewhere')
  if (!counting.includes(found.CalDataType)) throw refuse('pointCountsNothing')
}

export const circuitCheck: Check = async (db, actor, given, held) => {
  const now = { ...held, ...given } as Values
  if (typeof given.ParaId === 'number' && given.ParaId !== (held as { ParaId?: number } | undefined)?.ParaId)
    await checkMeter(db, actor, given.ParaId, now.ProjectId!)
  if (now.Source === fromFormula && !now.Formula) throw new FieldFaults([{ field: 'Formula', rule: 'formulaMissing' }])
  return { ...given, ...(now.Unit ? {} : { Unit: unitsOfTypes[now.EnergyType ?? 1] }) }
}
