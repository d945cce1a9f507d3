import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { serve } from '../../../../server/http/serve.ts'
import { languageOf } from '../../../../server/http/wrapper.ts'
import { entryCalls } from '../contract.ts'
import { energyLedger } from './energyLedger.ts'
import { checkData, readLedger, saveLedger } from './ledger.ts'
import { ledgerRoutes } from './ledgerRoutes.ts'

export const entryRoutes = (app: FastifyInstance) => {
  ledgerRoutes(app, energyLedger, entryCalls)
  serve(app, entryCalls.check, ({ db, actor, body, request }) => {
    const { EnergyInfoId, DataTime, CycleType, Value, IsReading = 0 } = body
    const checked = { Id: EnergyInfoId, DataTime, CycleType, value: Value, isReading: IsReading === 1, beside: { IsReading } }
    return checkData(energyLedger, db, actor, checked, languageOf(request))
  })
  serve(app, entryCalls.ledger, async ({ db, actor, query: { ProjectId, Of, IsReading = 0 } }) => {
    const where = sql`d."IsReading" = ${IsReading}`
    const { CycleType, Columns, More, Cells } = await readLedger(energyLedger, db, actor, { ProjectId, Of, where })
    return {
      ...{ CycleType, More, Cells: Cells.map(({ Id, Time, Value }) => ({ EnergyInfoId: Id, Time, Value })) },
      Circuits: Columns.map(({ Id, Name, Code, Unit }) => ({ Id, EnergyName: Name, EnergyCode: Code, Unit })),
    }
  })
  serve(app, entryCalls.save, async ({ db, actor, body: { Cells, IsReading = 0 }, request }) => {
    const cells = Cells.map(({ EnergyInfoId, Time, Value }) => ({ Id: EnergyInfoId, Time, value: Value, beside: { IsReading } }))
    const { Changed, warnings } = await saveLedger(energyLedger, db, actor, cells, languageOf(request))
    return { Changed, Warnings: warnings.map(({ Id, ...of }) => ({ EnergyInfoId: Id, ...of })) }
  })
}
