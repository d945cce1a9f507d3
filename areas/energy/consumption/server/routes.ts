import type { FastifyInstance } from 'fastify'
import type { Call } from '../../../../contract/call.ts'
import { serveFile } from '../../../../server/http/files.ts'
import { assertHolds, type Served, serve } from '../../../../server/http/serve.ts'
import { languageOf, sendWritten } from '../../../../server/http/wrapper.ts'
import type { Telemetry } from '../../../../server/telemetry/telemetry.ts'
import { reckonInTurn } from '../../../analysis/telemetry/server/service.ts'
import { priceCalls } from '../../tariffs/preview.ts'
import { monthCalls } from '../closing.ts'
import { energyCalls as calls, seesEnergyCost } from '../contract.ts'
import { hintCalls } from '../hints.ts'
import { savingsCalls } from '../savings.ts'
import { acceptBaseline, previewBaseline, shownBaseline, storedBaselines } from './baselines.ts'
import { closeMonth, listMonths, readStatement } from './closing.ts'
import { flow, infoList, ranking } from './flow.ts'
import { hintsOf, mutedHints, muteHint } from './hints.ts'
import { monthStatistics, staticEnergy } from './months.ts'
import type { Paper } from './paper.ts'
import { previewPrices } from './pricePreview.ts'
import { type Asked, openReading, type Reading } from './reading.ts'
import { makeReport, reportData, reportRegion } from './reports.ts'
import { savings } from './savings.ts'
import { chart, compare, custom, type Json, levelComparison, levelData, levelStatistics } from './series.ts'

export type ReadingNeeds = { telemetry: Pick<Telemetry, 'aside'>; clock: () => number; paper?: Paper }

export const consumptionRoutes = (app: FastifyInstance, { telemetry, clock, paper = {} }: ReadingNeeds) => {
  /** One question of a company at a time: a year of two hundred circuits is millions of quarter-hours. */
  const reading = <T>({ db, actor }: Pick<Served<Call>, 'db' | 'actor'>, asked: Asked, work: (reading: Reading) => Promise<T> | T) =>
    reckonInTurn(actor, async () => work(await openReading(db, actor, { telemetry, now: clock() }, asked)))

  const ofCircuit = ({ EnergyInfoId }: { EnergyInfoId: number }): Asked => ({ EnergyInfoIds: [EnergyInfoId] })

  serve(app, calls.monthStatistics, (s) => reading(s, s.query, (r) => monthStatistics(r, s.query)))
  serve(app, calls.ranking, (s) => reading(s, s.query, (r) => ranking(r, s.query)))
  serve(app, calls.infoList, (s) => reading(s, s.query, (r) => infoList(r, s.query)))
  serve(app, calls.list, (s) => reading(s, s.query, (r) => flow(r, s.query)))
  // An awaited reply resolves when the client has read it, so it is sent after the turn.
  const written = async (s: Served<Call>, asked: Asked, work: (reading: Reading) => Promise<Json>) =>
    sendWritten(s.reply, await reading(s, asked, work))
  serve(app, calls.chart, (s) => written(s, ofCircuit(s.query), (r) => chart(r, s.query)))
  serve(app, calls.compare, (s) => written(s, { EnergyInfoIds: s.body.EnergyInfoIds }, (r) => compare(r, s.body)))
  serve(app, calls.custom, (s) => written(s, { EnergyInfoIds: s.body.EnergyInfoIds }, (r) => custom(r, s.body)))
  serve(app, calls.reportData, (s) => reading(s, s.query, (r) => reportData(r, s.query)))
  serve(app, calls.reportRegion, (s) => reading(s, s.query, (r) => reportRegion(r, s.query)))
  const sheets = [
    [calls.dataOutput, reportData],
    [calls.regionOutput, reportRegion],
  ] as const
  for (const [call, work] of sheets)
    serveFile(app, call, (s) => {
      const made = { language: languageOf(s.request), filters: s.query, paper }
      return reading(s, s.query, async (r) => makeReport(r, await work(r, s.query), made))
    })
  serve(app, calls.levelData, (s) => reading(s, ofCircuit(s.query), (r) => levelData(r, s.query)))
  serve(app, calls.levelStatistics, (s) => reading(s, s.query, (r) => levelStatistics(r, s.query)))
  serve(app, calls.levelComparison, (s) => reading(s, ofCircuit(s.query), (r) => levelComparison(r, s.query)))
  serve(app, calls.staticEnergy, (s) => reading(s, {}, (r) => staticEnergy(r)))
  serve(app, monthCalls.list, (s) => reading(s, s.query, (r) => listMonths(r, s.query.ProjectId)))
  serve(app, monthCalls.statement, (s) => reading(s, s.query, (r) => readStatement(r, s.query)))
  serve(app, savingsCalls.report, (s) => reading(s, ofCircuit(s.query), (r) => savings(r, s.query)))
  serve(app, savingsCalls.list, (s) =>
    reading(s, ofCircuit(s.query), async (r) => ({ Items: (await storedBaselines(r, s.query.EnergyInfoId)).map(shownBaseline) })),
  )
  serve(app, savingsCalls.preview, (s) => reading(s, ofCircuit(s.body), (r) => previewBaseline(r, s.body)))
  serve(app, savingsCalls.accept, (s) => reading(s, ofCircuit(s.body), (r) => acceptBaseline(r, s.body)))
  serve(app, hintCalls.list, (s) => reading(s, s.query, (r) => hintsOf(r, s.query)))
  serve(app, hintCalls.muted, (s) => reading(s, s.query, (r) => mutedHints(r, s.query)))
  serve(app, hintCalls.mute, (s) => reading(s, ofCircuit(s.body), (r) => muteHint(r, s.body)))
  serve(app, priceCalls.preview, (s) => {
    assertHolds(s.actor, [seesEnergyCost])
    return reading(s, { PriceStandardId: s.body.Id ?? s.body.VersionOfId }, (r) => previewPrices(r, s.body))
  })
  serve(app, monthCalls.close, (s) => reading(s, s.body, (r) => closeMonth(r, s.body)))
}
