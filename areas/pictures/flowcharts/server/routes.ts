import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type { Body, Page } from '../../../../contract/call.ts'
import type { Row } from '../../../../contract/resource.ts'
import type { Db } from '../../../../server/database/db.ts'
import { serve } from '../../../../server/http/serve.ts'
import { languageOf } from '../../../../server/http/wrapper.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { inSight } from '../../../../server/identity/sight.ts'
import { ownTurn } from '../../../../server/jobs/ownTurn.ts'
import { crud, idsOf, pageInTurn } from '../../../../server/resource/crud.ts'
import { paged, readListing } from '../../../../server/resource/list.ts'
import { and, columns, named, table, visible } from '../../../../server/resource/sql.ts'
import type { Telemetry } from '../../../../server/telemetry/telemetry.ts'
import { paraInfo } from '../../../analysis/telemetry/server/service.ts'
import { type Gateways, inWords } from '../../../configuration/gateways/server/service.ts'
import { flowchart, flowchartCalls, type HistoryRow, type Published } from '../contract.ts'
import { pictureFileCalls } from '../picture-file.ts'
import { judge } from './act.ts'
import { openConfirmations } from './confirmations.ts'
import { pictureOfDevice } from './faceplate.ts'
import { readAlarms, readCurves } from './live.ts'
import { readPast } from './past.ts'
import { fromFile, toFile } from './pictureFile.ts'
import { picturesOfPoint } from './pointUse.ts'
import type { Pulses } from './pulses.ts'
import { listRemoved, undoRemoveWith } from './removed.ts'
import { cancelPublish, charts, copy, createPicture, lease, open, publishPicture, restore, save, shownVersionOf } from './service.ts'

type Chart = Row<typeof flowchart>
const mostInMenu = 200

type Asked = { Id?: unknown; ProjectId?: unknown; PlatformType?: unknown }
const answer = (db: Db, actor: Actor, given: Asked) => {
  if (given.Id !== undefined) return charts.find(db, actor, idsOf(given)[0]!)
  if (given.ProjectId === undefined) return charts.list(db, actor, readListing(given as Record<string, unknown>))
  return published(db, actor, idsOf({ Id: given.ProjectId })[0]!, Number(given.PlatformType ?? 1))
}

/** Published pictures in order; a phone without its own picture gets the desktop's. */
const published = async (db: Db, actor: Actor, project: number, platform: number) => {
  const rows = await db.rows<Chart>(sql`
    select ${columns(flowchart, actor)} from ${table(flowchart)} t
    where "State" = 1 and "Purpose" = 0 and "ProjectId" = ${project} and ${visible(flowchart, actor)} order by "Sort", "FlowchartName" limit ${mostInMenu}`)
  const own = rows.filter((row) => row.PlatformType === platform)
  return (own.length ? own : rows).map((row) => ({ ...row, Path: `/projectDetailsManagement/flowChart/${row.Id}` }))
}

const history = async (db: Db, actor: Actor, given: { Id: number; PageIndex?: number; PageSize?: number }): Promise<Page<HistoryRow>> => {
  const { Version, EnterpriseId } = await charts.find(db, actor, given.Id)
  const { index, size } = readListing(given as never)
  const Items = await db.rows<HistoryRow>(sql`
    select v."Version", to_char(v."CreateTime" at time zone ${actor.zone ?? actor.tenantZone}::text, 'YYYY-MM-DD HH24:MI:SS') as "PublishTime",
      u."UserName", v."Note", v."Items", v."Points", v."Changes"
    from flowchart_version v left join "user" u on ${and([sql`u."Id" = v."UserId"`, ...inSight(named('user'), actor, 'u')])}
    where v."FlowchartId" = ${given.Id} and v."EnterpriseId" = ${EnterpriseId} order by v."Version" desc limit ${size} offset ${(index - 1) * size}`)
  return paged({ index, size, exact: true }, Items, Version)
}

const undoRemove = undoRemoveWith(charts.find)

/** Queues with long pages: a large drawing takes as long. */
const inTurn = <T>(actor: Actor, work: () => Promise<T>) => pageInTurn({ size: 1000 }, actor, work)

type Act = Pick<Body<typeof flowchartCalls.act>, 'Id' | 'Version' | 'Item' | 'Action' | 'Face'>
const dialogOf = ({ session }: Actor, { Id, Version, Item, Action, Face }: Act) =>
  [session, Id, Version, Item, Action, Face?.Item, Face?.Action].join(' ')

type Needs = Pick<Telemetry, 'latest' | 'query'> & { write: Gateways['write']; pulse: Pulses['pulse']; clock: () => number }
export const flowchartRoutes = (app: FastifyInstance, { latest, query, write, pulse, clock }: Needs) => {
  const confirmations = openConfirmations(clock)
  crud(app, flowchart, { own: { ...charts, create: createPicture } })
  serve(app, flowchartCalls.published, ({ db, actor, request }) => answer(db, actor, request.query as Asked) as Promise<Published[]>)
  serve(app, flowchartCalls.open, ({ db, actor, body, request }) => open(db, actor, latest, { ...body, language: languageOf(request) }))
  serve(app, flowchartCalls.past, async ({ db, actor, body, request }) => {
    // Readings may take seconds, so long pages must not wait for them.
    const past = await readPast(db, actor, { latest, query }, { ...body, language: languageOf(request) })
    await ownTurn()
    return past
  })
  serve(app, flowchartCalls.curves, async ({ db, actor, body, request }) => {
    const asked = { language: languageOf(request), now: clock() }
    const curves = await readCurves(db, actor, { latest, query }, body, asked)
    await ownTurn()
    return curves
  })
  serve(app, flowchartCalls.alarms, ({ db, actor, body, request }) =>
    readAlarms(db, actor, latest, body, { language: languageOf(request) }),
  )
  serve(app, flowchartCalls.ofDevice, ({ db, actor, query }) => pictureOfDevice(db, actor, query.DeviceId))
  serve(app, flowchartCalls.save, ({ db, actor, body }) => inTurn(actor, () => save(db, actor, body)))
  serve(app, flowchartCalls.points, async ({ db, actor, query, request }) => {
    const { ProjectId } = await charts.find(db, actor, query.Id)
    return inTurn(actor, () => paraInfo(db, actor, languageOf(request), { projectId: ProjectId }))
  })
  serve(app, flowchartCalls.confirm, async ({ db, actor, body }) => {
    await shownVersionOf(db, actor, body.Id)
    return confirmations.give(actor.UserId, dialogOf(actor, body))
  })
  serve(app, flowchartCalls.act, async ({ db, actor, body, request }) => {
    const language = languageOf(request)
    const { id, value, back, evidence } = await judge(db, actor, latest, body, { language, now: clock() })
    confirmations.take(actor.UserId, dialogOf(actor, body), body)
    const done = back ? pulse(db, actor, id, { value, ...back }, evidence) : write(db, actor, id, value, evidence)
    return inWords(language, await done)
  })
  serve(app, flowchartCalls.publish, ({ db, actor, body }) => inTurn(actor, () => publishPicture(db, actor, body)))
  serve(app, flowchartCalls.cancelPublish, ({ db, actor, body }) => cancelPublish(db, actor, body.Id))
  serve(app, flowchartCalls.byPoint, ({ db, actor, query }) => picturesOfPoint(db, actor, query.ParaId))
  serve(app, flowchartCalls.history, ({ db, actor, query }) => history(db, actor, query))
  serve(app, flowchartCalls.restore, ({ db, actor, body }) => inTurn(actor, () => restore(db, actor, body)))
  serve(app, flowchartCalls.removed, ({ db, actor, query }) => listRemoved(db, actor, query))
  serve(app, flowchartCalls.undoRemove, ({ db, actor, body }) => inTurn(actor, () => undoRemove(db, actor, body.Id)))
  serve(app, flowchartCalls.copy, ({ db, actor, body }) => inTurn(actor, () => copy(db, actor, body.Id)))
  serve(app, pictureFileCalls.toFile, ({ db, actor, query }) => inTurn(actor, () => toFile(db, actor, query.Id)))
  serve(app, pictureFileCalls.fromFile, ({ db, actor, body }) => inTurn(actor, () => fromFile(db, actor, body)))
  serve(app, flowchartCalls.lease, ({ db, actor, body }) => lease(db, actor, body))
}
