// Checks the addresses of model points against the model's protocol. Addresses with braces are checked on publication.
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

/** Checks many points of one model; reads its protocol once. */
export const addressesOf = async (db: Db, model: number): Promise<Check> => {
  const protocol = await protocolOf(db, model)
  return async (_db, _actor, given) => {
    judge(protocol, given.Address)
    return given
  }
}

/** Refuses an invalid address of a new or changed point. */
export const addressCheck: Check = async (db, _actor, given, held) => {
  if (given.Address !== undefined && given.Address !== held?.Address)
    judge(await protocolOf(db, Number(given.ModelId ?? held?.ModelId)), given.Address)
  return given
}
