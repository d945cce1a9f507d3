// What other areas ask of energy.
import { sql } from 'kysely'
import type { Db } from '../../../../server/database/db.ts'
import { FieldFaults } from '../../../../server/http/faults.ts'

/** Money of a closed month stays in its currency. */
export const assertCurrencyFree = async (db: Db, enterprise: number, currency: unknown) => {
  if (typeof currency !== 'string') return
  const closed = await db.rows(sql`
    select 1 from energy_month m join enterprise e on e."Id" = m."EnterpriseId"
    where m."EnterpriseId" = ${enterprise} and e."CurrencyCode" <> ${currency} limit 1`)
  if (closed.length) throw new FieldFaults([{ field: 'CurrencyCode', rule: 'energy.currencyFixed' }])
}
