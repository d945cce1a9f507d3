import type { FastifyInstance } from 'fastify'
import type { Call } from '../../../../contract/call.ts'
import { type SeriesAnswer, type SeriesColumn, telemetryCalls } from '../../../../contract/telemetry.ts'
import { Fault, type FieldFault, FieldFaults } from '../../../../server/http/faults.ts'
import { type Served, serve } from '../../../../server/http/serve.ts'
import { languageOf, sendWritten } from '../../../../server/http/wrapper.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import type { Pause } from '../../../../server/jobs/ownTurn.ts'
import { idsOf, pageInTurn } from '../../../../server/resource/crud.ts'
import { withDeltas } from '../../../../server/telemetry/deltas.ts'
import { fewerBuckets, stepFor } from '../../../../server/telemetry/query.ts'
import { seriesJson } from '../../../../server/telemetry/seriesJson.ts'
import type { Telemetry } from '../../../../server/telemetry/telemetry.ts'
import { formulaCalls } from '../../formulas/contract.ts'
import { analysisCalls, calDataTypes, mostTyped } from '../contract.ts'
import { engineOf, type Reader, readDataStatus, readIo, readMeaning, readReadings, readStatistics } from './analysis.ts'
import { readDistribution } from './distribution.ts'
import { previewFormula } from './formulaPreview.ts'
import { answerMeterEvent, meaningsOf, setCalDataType } from './meaning.ts'
import { chartInTurn, reckonInTurn } from './reckoning.ts'
import { assertEntries, entriesOf, ofComputed, type Unit, withColumns } from './series.ts'
import { chartedPoints, countPoints, findPoints, mostDescribed, paraInfo, visiblePoints } from './service.ts'

type Body = {
  ParaIds: number[]
  Start: number
  End: number
  Shape?: 'deltas'
  Columns?: SeriesColumn[]
  Compare?: number[]
  Buckets?: number
  Width?: number
  Brief?: 1
}
type Range = Parameters<Telemetry['query']['series']>[0]
type Charts = Pick<Telemetry, 'query' | 'statistics' | 'clock' | 'withFormulas'>
type Chart = { telemetry: Charts; unit?: Unit; computed?: true }

/** Answers of charts in the shape that is asked for. */
const charted = async (
  { telemetry, unit, computed }: Chart,
  { db, actor, body, reply }: Pick<Served<Call>, 'db' | 'actor' | 'reply'> & { body: Body },
  ask: (query: Telemetry['query'], asked: Range) => Promise<SeriesAnswer>,
) => {
  const { ParaIds, Start, End, Shape, Compare = [], Width, Brief } = body
  const columns = body.Columns?.length ? body.Columns : computed && ofComputed
  if (End <= Start) throw new FieldFaults([{ field: 'End', rule: 'afterStart' }])
  if (Shape && columns) throw new FieldFaults([{ field: 'Shape', rule: 'withColumns' }])
  const ids = [...new Set(ParaIds)]
  if (unit ?? Width) assertEntries(ids.length, body, unit ?? Width!)
  const { zone, digits, formulas } = await chartedPoints(db, actor, ids)
  const meanings = columns ? (await meaningsOf(db, actor, ids)).meanings : []
  const engine = engineOf(telemetry, formulas)
  const answerOf = async (start: number, pause: Pause): Promise<SeriesAnswer> => {
    const read = () => ask(engine.query, { ids, start, end: start + End - Start, zone })
    const plain = await (formulas.size ? reckonInTurn(actor, read) : read())
    const answer = columns
      ? await reckonInTurn(actor, () => withColumns(engine, meanings, plain, { columns, unit, isBrief: Brief === 1 }))
      : plain
    return Shape ? withDeltas(answer, digits, pause) : answer
  }
  const written = await chartInTurn(actor, entriesOf(ids.length, body, unit), async (pause) => {
    const answer = await answerOf(Start, pause)
    const Compared: SeriesAnswer[] = []
    for (const start of Compare) Compared.push(await answerOf(start, pause))
    // Series are our own numbers, tens of thousands of them: no serialiser made from the schema writes those as fast.
    return seriesJson(Compare.length ? { ...answer, Compared } : answer, pause)
  })
  return sendWritten(reply, written)
}

/** Thousands of points take as long as a long page. */
const inTurn = <T>(actor: Actor, read: () => Promise<T>) => pageInTurn({ size: 1000 }, actor, read)

/** Default number of buckets of computed points. */
const usualBuckets = 500

const chartRoutes = (app: FastifyInstance, telemetry: Charts) => {
  const { data, minutes, hours, days, computed, computedMinutes, computedHours, computedDays } = telemetryCalls
  const widthOf = ({ Width }: { Width?: number }) => (Width ? { width: Width } : {})
  const rangesOf = ({ Compare = [] }: { Compare?: number[] }) => 1 + Compare.length
  serve(app, data, (served) =>
    charted({ telemetry }, served, (query, asked) =>
      query.series({ ...asked, buckets: served.body.Buckets ?? 1000, ranges: rangesOf(served.body), ...widthOf(served.body) }),
    ),
  )
  serve(app, computed, (served) => {
    const { ParaIds, Start, End, Buckets = usualBuckets, Width } = served.body
    const buckets = fewerBuckets(Buckets, ParaIds.length, rangesOf(served.body))
    const width = Width ?? stepFor(Start, Math.max(End, Start + 1), buckets, 1000).ms
    return charted({ telemetry, computed: true }, served, (query, asked) => query.series({ ...asked, width }))
  })
  const units = [
    ['minute', minutes, computedMinutes],
    ['hour', hours, computedHours],
    ['day', days, computedDays],
  ] as const
  for (const [unit, plain, ofTypes] of units) {
    serve(app, plain, (served) => charted({ telemetry, unit }, served, (query, asked) => query.units(unit, asked)))
    serve(app, ofTypes, (served) => charted({ telemetry, unit, computed: true }, served, (query, asked) => query.units(unit, asked)))
  }
}

const numbersIn = (list: string) => list.split(',').map(Number)

const analysisRoutes = (app: FastifyInstance, telemetry: Reader['telemetry']) => {
  serve(app, analysisCalls.statistics, async ({ db, actor, query: { ParaIds, By = 'none', Brief, ...range }, reply }) => {
    const asked = { ...range, ids: [...new Set(numbersIn(ParaIds))], By }
    const answer = await reckonInTurn(actor, () => readStatistics({ db, actor, telemetry }, asked, Brief === 1))
    // 20,000 entries of thirty figures: a serialiser made from the schema would hold up everybody for 0.2 s.
    reply.type('application/json; charset=utf-8').serializer(JSON.stringify)
    return answer
  })
  serve(app, analysisCalls.boolPoints, ({ db, actor, query: { ProjectId, DeviceId }, request }) =>
    inTurn(actor, () =>
      paraInfo(db, actor, languageOf(request), {
        states: true,
        ...(ProjectId ? { projectId: ProjectId } : {}),
        ...(DeviceId ? { deviceIds: [DeviceId] } : {}),
      }),
    ),
  )
  serve(app, analysisCalls.findPoints, ({ db, actor, query: { Search, DeviceId, DeviceIds, ...query }, request }) => {
    const devices = DeviceIds ? numbersIn(DeviceIds) : DeviceId ? [DeviceId] : undefined
    return inTurn(actor, () =>
      findPoints(db, actor, languageOf(request), {
        ...(Search ? { search: Search } : {}),
        ...(devices ? { deviceIds: devices } : {}),
        ...(query.ProjectId ? { projectId: query.ProjectId } : {}),
        ...(query.ParaIds ? { pointIds: numbersIn(query.ParaIds) } : {}),
        ...(query.Common ? { common: true as const } : {}),
        ...(query.Reports ? { reports: query.Reports } : {}),
        ...(query.Computed ? { computed: true as const } : {}),
        ...(query.Codes ? { codes: query.Codes.split(',').filter(Boolean) } : {}),
      }),
    )
  })
  serve(app, analysisCalls.readings, ({ db, actor, body }) => reckonInTurn(actor, () => readReadings({ db, actor, telemetry }, body)))
  serve(app, analysisCalls.io, ({ db, actor, body: { ParaIds, By = 'none', Start, End, ...page } }) =>
    reckonInTurn(actor, () => readIo({ db, actor, telemetry }, { Start, End, By, ids: [...new Set(ParaIds)] }, page)),
  )
  serve(app, analysisCalls.distribution, ({ db, actor, body: { ParaIds, By = 'none', Bins, ...range } }) =>
    reckonInTurn(actor, () => readDistribution({ db, actor, telemetry }, { ...range, By, ids: [...new Set(ParaIds)] }, Bins)),
  )
  serve(app, analysisCalls.meaning, ({ db, actor, query }) => reckonInTurn(actor, () => readMeaning({ db, actor, telemetry }, query)))
  serve(app, analysisCalls.setType, ({ db, actor, query, request }) => {
    const { ParaIds, CalDataType } = request.params as { ParaIds: string; CalDataType: string }
    const type = calDataTypes.find((code) => `${code}` === CalDataType)
    const ids = idsOf({ Ids: ParaIds })
    const faults: FieldFault[] = []
    if (type === undefined) faults.push({ field: 'CalDataType', rule: 'choice' })
    if (ids.length > mostTyped) faults.push({ field: 'ParaIds', rule: 'mostPoints', values: { max: mostTyped } })
    if (faults.length) throw new FieldFaults(faults)
    return setCalDataType(db, actor, ids, { CalDataType: type!, ...query })
  })
  serve(app, formulaCalls.check, ({ db, actor, body, request }) =>
    reckonInTurn(actor, () => previewFormula({ db, actor, telemetry }, languageOf(request), body)),
  )
  serve(app, analysisCalls.answerEvent, ({ db, actor, body }) => answerMeterEvent(db, actor, body))
}

/** Calls that need the stored readings alone, so that any process can answer them. */
export const readingRoutes = (app: FastifyInstance, telemetry: Charts) => {
  chartRoutes(app, telemetry)
  analysisRoutes(app, telemetry)
  serve(app, telemetryCalls.paraInfo, ({ db, actor, query: { DeviceIds }, request }) => {
    const deviceIds = DeviceIds.split(',').map(Number)
    if (deviceIds.some((id) => !Number.isSafeInteger(id)) || deviceIds.length > 1000) throw new Fault('notFound')
    return inTurn(actor, () => paraInfo(db, actor, languageOf(request), { deviceIds }))
  })
  serve(app, telemetryCalls.allParaInfo, ({ db, actor, query: { ProjectId, ParaIds }, request, reply }) =>
    inTurn(actor, async () => {
      const of = { ...(ProjectId ? { projectId: ProjectId } : {}), ...(ParaIds ? { pointIds: numbersIn(ParaIds) } : {}) }
      const found = await paraInfo(db, actor, languageOf(request), of)
      // Clients expect a plain list, so the total goes into a header.
      if (found.length === mostDescribed) reply.header('x-total-count', String(await countPoints(db, actor, of)))
      return found
    }),
  )
}

export const telemetryRoutes = (app: FastifyInstance, telemetry: Charts & Pick<Telemetry, 'latest' | 'late' | 'rejected'>) => {
  readingRoutes(app, telemetry)
  serve(app, analysisCalls.dataStatus, ({ db, actor, body, request }) => {
    const { ProjectId } = request.params as { ProjectId: string }
    const asked = { ...body, ProjectId: idsOf({ Id: ProjectId })[0]! }
    return reckonInTurn(actor, () => readDataStatus({ db, actor, telemetry }, asked))
  })
  serve(app, telemetryCalls.last, async ({ db, actor, body }) => {
    const ids = [...new Set(body.ParaIds)]
    if ((await visiblePoints(db, actor, ids)).length !== ids.length) throw new Fault('notFound')
    return ids.flatMap((ParaId) => {
      const s = telemetry.latest.get(ParaId)
      return s ? [{ ParaId, Time: s.time, Value: s.value, Quality: s.quality }] : []
    })
  })
}
