import type { FastifyInstance, FastifyReply } from 'fastify'
import { telemetryCalls } from '../../../contract/areas/telemetry.ts'
import { Fault, FieldFaults } from '../../http/faults.ts'
import { serve } from '../../http/serve.ts'
import { languageOf } from '../../http/wrapper.ts'
import type { Telemetry } from '../../telemetry/telemetry.ts'
import { written } from '../../telemetry/written.ts'
import { paraInfo, visiblePoints, zoneOf } from './service.ts'

type Range = { ParaIds: number[]; Start: number; End: number }
const asked = ({ ParaIds, Start, End }: Range, zone: string) => {
  if (End <= Start) throw new FieldFaults([{ field: 'End', rule: 'afterStart' }])
  return { ids: [...new Set(ParaIds)], start: Start, end: End, zone }
}

/** Series are our own numbers, tens of thousands of them: no serialiser made from the schema writes those as fast. */
const asSeries = (reply: FastifyReply) =>
  // Fastify sends bytes as well as text (Reply, serializer); its types leave them out.
  reply.type('application/json; charset=utf-8').serializer(written as (answer: Parameters<typeof written>[0]) => string)

export const telemetryRoutes = (app: FastifyInstance, { query, latest }: Pick<Telemetry, 'query' | 'latest'>) => {
  serve(app, telemetryCalls.data, async ({ db, actor, body, reply }) => {
    asSeries(reply)
    return query.series({ ...asked(body, await zoneOf(db, actor, body.ParaIds)), buckets: body.Buckets ?? 1000 })
  })
  for (const [call, unit] of [
    [telemetryCalls.minutes, 'minute'],
    [telemetryCalls.hours, 'hour'],
    [telemetryCalls.days, 'day'],
  ] as const)
    serve(app, call, async ({ db, actor, body, reply }) => {
      asSeries(reply)
      return query.units(unit, asked(body, await zoneOf(db, actor, body.ParaIds)))
    })

  serve(app, telemetryCalls.paraInfo, ({ db, actor, query: { DeviceIds }, request }) => {
    const deviceIds = DeviceIds.split(',').map(Number)
    if (deviceIds.some((id) => !Number.isSafeInteger(id)) || deviceIds.length > 1000) throw new Fault('notFound')
    return paraInfo(db, actor, languageOf(request), { deviceIds })
  })
  serve(app, telemetryCalls.allParaInfo, ({ db, actor, query: { ProjectId }, request }) =>
    paraInfo(db, actor, languageOf(request), ProjectId ? { projectId: ProjectId } : {}),
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
