import type { FastifyInstance } from 'fastify'
import { serve } from '../../../../server/http/serve.ts'
import { languageOf } from '../../../../server/http/wrapper.ts'
import { checkData, ledgerRoutes, readLedger, saveLedger } from '../../../energy/manual-readings/server/service.ts'
import { drugEntryCalls } from '../contract.ts'
import { chemicalLedger } from './chemicalLedger.ts'

export const chemicalLedgerRoutes = (app: FastifyInstance) => {
  ledgerRoutes(app, chemicalLedger, drugEntryCalls)
  serve(app, drugEntryCalls.check, ({ db, actor, body, request }) => {
    const { DrugInfoId, DataTime, CycleType, Value, WaterValue = null } = body
    return checkData(
      chemicalLedger,
      db,
      actor,
      { Id: DrugInfoId, DataTime, CycleType, value: Value, beside: { WaterValue } },
      languageOf(request),
    )
  })
  serve(app, drugEntryCalls.ledger, async ({ db, actor, query }) => {
    const { CycleType, Columns, More, Cells } = await readLedger(chemicalLedger, db, actor, query)
    return {
      ...{ CycleType, More },
      Chemicals: Columns.map(({ Id, Name, Code, Unit }) => ({ Id, DrugName: Name, DrugCode: Code, Unit })),
      Cells: Cells.map(({ Id, Time, Value, WaterValue = null }) => ({
        DrugInfoId: Id,
        Time,
        Value,
        WaterValue: WaterValue as number | null,
      })),
    }
  })
  serve(app, drugEntryCalls.save, async ({ db, actor, body, request }) => {
    const cells = body.Cells.map(({ DrugInfoId, Time, Value, WaterValue }) => ({
      ...{ Id: DrugInfoId, Time, beside: WaterValue === undefined ? {} : { WaterValue } },
      ...(Value === undefined ? {} : { value: Value }),
    }))
    const { Changed, warnings } = await saveLedger(chemicalLedger, db, actor, cells, languageOf(request))
    return { Changed, Warnings: warnings.map(({ Id, ...of }) => ({ DrugInfoId: Id, ...of })) }
  })
}
