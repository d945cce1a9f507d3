// An address of a model's point is one of the model's protocol. With braces it is judged when the model is published.
import { sql } from 'kysely'
import type { Db } from '../../../../server/database/db.ts'
import { FieldFaults } from '../../../../server/http/faults.ts'
import type { Check } from '../../../../server/resource/store.ts'
import { faultOf } from '../../channels/server/service.ts'

const protocolOf = async (db: Db, model: number) => {
  const [found] = await db.rows<{ Protocol: number }>(sql`select "Protocol" from pro_model where "Id" = ${model}`)
  return found?.Protocol
}
const judge = (protocol: number | undefined, address: unknown) => {
  const faults = String(address).includes('{') ? [] : faultOf(protocol, address)
  if (faults.length) throw new FieldFaults(faults)
}

/** The check of many points of one model, which asks for its protocol once. */
export const addressesOf = async (db: Db, model: number): Promise<Check> => {
  const protocol = await protocolOf(db, model)
  return async (_db, _actor, given) => {
    judge(protocol, given.Address)
    return given
  }
}

/** Refuses the address of a point that is new or changes. */
export const addressCheck: Check = async (db, _actor, given, held) => {
  if (given.Address !== undefined && given.Address !== held?.Address)
    judge(await protocolOf(db, Number(given.ModelId ?? held?.ModelId)), given.Address)
  return given
}
