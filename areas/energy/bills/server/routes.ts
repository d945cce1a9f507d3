import type { FastifyInstance } from 'fastify'
import { dayNumber, isDay } from '../../../../contract/days.ts'
import { FieldFaults } from '../../../../server/http/faults.ts'
import { assertHolds, serve } from '../../../../server/http/serve.ts'
import { crud } from '../../../../server/resource/crud.ts'
import type { Check } from '../../../../server/resource/store.ts'
import type { Telemetry } from '../../../../server/telemetry/telemetry.ts'
import { reckonInTurn } from '../../../analysis/telemetry/server/service.ts'
import { billCalls } from '../check.ts'
import { type BillLine, energyBill, energyLine, seesEnergyCost } from '../contract.ts'
import { checkBill } from './check.ts'

/** An invoice is for a year at most. */
const mostDays = 366
const billCheck: Check = async (_db, actor, given, held) => {
  // The answer of a change has the money.
  assertHolds(actor, [seesEnergyCost])
  const { StartDate, EndDate, BillLines = [] } = { ...held, ...given } as { StartDate: string; EndDate: string; BillLines?: BillLine[] }
  const faults = [StartDate, EndDate].flatMap((day, i) => (isDay(day) ? [] : [{ field: i ? 'EndDate' : 'StartDate', rule: 'noSuchDay' }]))
  if (faults.length) throw new FieldFaults(faults)
  if (EndDate < StartDate) throw new FieldFaults([{ field: 'EndDate', rule: 'bill.endsBefore' }])
  if (dayNumber(EndDate) - dayNumber(StartDate) >= mostDays) throw new FieldFaults([{ field: 'EndDate', rule: 'bill.tooLong' }])
  const without = BillLines.findIndex(({ Kind, Quantity }) => Kind === energyLine && (Quantity === undefined || Quantity === null))
  if (without >= 0)
    throw new FieldFaults([{ field: `BillLines.${without}.Quantity`, rule: 'bill.quantity', values: { line: without + 1 } }])
  return given
}

export const billRoutes = (app: FastifyInstance) => {
  crud(app, energyBill, { check: billCheck })
}

/** Expected invoices depend on the consumption of circuits. */
export const billCheckRoutes = (
  app: FastifyInstance,
  { telemetry, clock }: { telemetry: Pick<Telemetry, 'aside'>; clock: () => number },
) => {
  serve(app, billCalls.check, ({ db, actor, query }) => {
    assertHolds(actor, [seesEnergyCost])
    return reckonInTurn(actor, () => checkBill(db, actor, { telemetry, now: clock() }, query.Id))
  })
}
