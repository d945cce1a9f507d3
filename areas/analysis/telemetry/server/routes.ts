import type { FastifyInstance } from 'fastify'
import type { Call } from '../../../../contract/call.ts'
import { type SeriesAnswer, telemetryCalls } from '../../../../contract/telemetry.ts'
import { Fault, FieldFaults } from '../../../../server/http/faults.ts'
import { type Served, serve } from '../../../../server/http/serve.ts'
import { languageOf } from '../../../../server/http/wrapper.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { pageInTurn } from '../../../../server/resource/crud.ts'
import { withDeltas } from '../../../../server/telemetry/deltas.ts'
import { seriesJson } from '../../../../server/telemetry/seriesJson.ts'
import type { Telemetry } from '../../../../server/telemetry/telemetry.ts'
import { chartedPoints, paraInfo, visiblePoints } from './service.ts'

type Range = { ParaIds: number[]; Start: number; End: number; Shape?: 'deltas' }
type Asked = Parameters<Telemetry['query']['series']>[0]

/** Answers of charts in the shape that is asked for. */
const charted = async (
  { db, actor, body, reply }: Pick<Served<Call>, 'db' | 'actor' | 'reply'> & { body: Range },
  ask: (asked: Asked) => Promise<SeriesAnswer>,
) => {
  const { ParaIds, Start, End, Shape } = body
  if (End <= Start) throw new FieldFaults([{ field: 'End', rule: 'afterStart' }])
  const { zone, digits } = await chartedPoints(db, actor, ParaIds)
  const answer = await ask({ ids: [...new Set(ParaIds)], start: Start, end: End, zone })
  // Series are our own numbers, tens of thousands of them: no serialiser made from the schema writes those as fast.
  reply.type('application/json; charset=utf-8').serializer((Shape ? JSON.stringify : seriesJson) as typeof seriesJson)
  return Shape ? withDeltas(answer, digits) : answer
}

/** Thousands of points take as long as a long page. */
const inTurn = <T>(actor: Actor, read: () => Promise<T>) => pageInTurn({ size: 1000 }, actor, read)

export const telemetryRoutes = (app: FastifyInstance, { query, latest }: Pick<Telemetry, 'query' | 'latest'>) => {
  serve(app, telemetryCalls.data, (served) => charted(served, (asked) => query.series({ ...asked, buckets: served.body.Buckets ?? 1000 })))
  serve(app, telemetryCalls.minutes, (served) => charted(served, (asked) => query.units('minute', asked)))
  serve(app, telemetryCalls.hours, (served) => charted(served, (asked) => query.units('hour', asked)))
  serve(app, telemetryCalls.days, (served) => charted(served, (asked) => query.units('day', asked)))

  serve(app, telemetryCalls.paraInfo, ({ db, actor, query: { DeviceIds }, request }) => {
    const deviceIds = DeviceIds.split(',').map(Number)
    if (deviceIds.some((id) => !Number.isSafeInteger(id)) || deviceIds.length > 1000) throw new Fault('notFound')
    return inTurn(actor, () => paraInfo(db, actor, languageOf(request), { deviceIds }))
  })
  serve(app, telemetryCalls.allParaInfo, ({ db, actor, query: { ProjectId }, request }) =>
    inTurn(actor, () => paraInfo(db, actor, languageOf(request), ProjectId ? { projectId: ProjectId } : {})),
  )
  serve(app, telemetryCalls.last, async ({ db, actor, body }) => {
    const ids = [...new Set(body.ParaIds)]
    if ((await visiblePoints(db, actor, ids)).length !== ids.length) throw new Fault('notFound')
    return ids.flatMap((ParaId) => {
      const s = latest.get(ParaId)
      return s ? [{ ParaId, Time: s.time, Value: s.value, Quality: s.quality }] : []
    })
  })
}
