import type { FastifyInstance } from 'fastify'
import type { Call } from '../../../../contract/call.ts'
import { serveFile } from '../../../../server/http/files.ts'
import { type Served, serve } from '../../../../server/http/serve.ts'
import { languageOf } from '../../../../server/http/wrapper.ts'
import { reckonInTurn } from '../../../analysis/telemetry/server/service.ts'
import { dosingCalls as calls } from '../contract.ts'
import { chart, list, makeReport, reportData, reportRegion } from './ranges.ts'
import { type Asked, chemicalFields, type Measuring, openReading, type Reading } from './reading.ts'
import { staticDrug, statistics } from './stocks.ts'

export type ReadingNeeds = { telemetry: Measuring['telemetry']; clock: () => number }

export const dosingRoutes = (app: FastifyInstance, { telemetry, clock }: ReadingNeeds) => {
  const reading = <T>({ db, actor }: Pick<Served<Call>, 'db' | 'actor'>, asked: Asked, work: (reading: Reading) => Promise<T> | T) =>
    reckonInTurn(actor, async () => work(await openReading(db, actor, { telemetry, now: clock() }, asked)))
  const ofProject = ({ ProjectId }: { ProjectId?: number | undefined }): Asked => ({ ProjectId })

  serve(app, calls.statistics, (s) => reading(s, ofProject(s.query), statistics))
  serve(app, calls.infoList, (s) =>
    reading(s, ofProject(s.query), ({ drugs }) =>
      drugs.map((drug) => ({
        ...{ ...chemicalFields(drug), ProjectId: drug.ProjectId, ProjectName: drug.ProjectName, Source: drug.Source },
      })),
    ),
  )
  serve(app, calls.chart, (s) => reading(s, { DrugInfoId: s.query.DrugInfoId }, (r) => chart(r, s.query)))
  serve(app, calls.list, (s) => reading(s, ofProject(s.query), (r) => list(r, s.query)))
  serve(app, calls.reportData, (s) => reading(s, ofProject(s.query), (r) => reportData(r, s.query)))
  serve(app, calls.reportRegion, (s) => reading(s, ofProject(s.query), (r) => reportRegion(r, s.query)))
  const sheets = [
    [calls.dataOutput, reportData],
    [calls.regionOutput, reportRegion],
  ] as const
  for (const [call, work] of sheets)
    serveFile(app, call, (s) => {
      const made = { language: languageOf(s.request), filters: s.query }
      return reading(s, ofProject(s.query), async (r) => makeReport(r, await work(r, s.query), made))
    })
  serve(app, calls.staticDrug, (s) => reading(s, {}, staticDrug))
}
