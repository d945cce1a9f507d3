import type { Db } from '../../../../server/database/db.ts'
import { FieldFaults } from '../../../../server/http/faults.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { addMany } from '../../../../server/resource/batch.ts'
import { gateway, nameByRule } from '../contract.ts'

type Batch = { ProjectId: number; SNs: string[]; NameRule?: string; GatewayTypeId?: number; GatewaySubTypeId?: number }

/** Adds a gateway for each serial number, all or none. An error names the number by its position, `SNs.3`. */
export const addGateways = async (db: Db, actor: Actor, { SNs, NameRule = '{SN}', ...same }: Batch) => {
  const twice = SNs.flatMap((SN, i) =>
    SNs.indexOf(SN) < i ? [{ field: `SNs.${i}`, rule: 'twice', values: { row: SNs.indexOf(SN) + 1 } }] : [],
  )
  if (twice.length) throw new FieldFaults(twice)
  const items = SNs.map((SN, i) => ({ ...same, SN, GatewayName: nameByRule(NameRule, SN, i + 1).slice(0, 50) }))
  return addMany(db, actor, gateway, items).catch((error) => {
    if (!(error instanceof FieldFaults)) throw error
    const fields = error.fields.map((f) => ({ ...f, field: f.field.replace(/^Items\.(\d+)\.SN$/, 'SNs.$1').replace(/^Items\.\d+\./, '') }))
    throw new FieldFaults(fields, error.key, error.values)
  })
}
