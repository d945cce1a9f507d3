import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import type { Call } from '../../../../contract/call.ts'
import { schemas } from '../../../../contract/resource.ts'
import type { Db } from '../../../../server/database/db.ts'
import { Fault } from '../../../../server/http/faults.ts'
import { serve } from '../../../../server/http/serve.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { crud, idsOf, lists } from '../../../../server/resource/crud.ts'
import { store } from '../../../../server/resource/store.ts'
import type { Telemetry } from '../../../../server/telemetry/telemetry.ts'
import { reckonInTurn } from '../../../analysis/telemetry/server/service.ts'
import { project } from '../../../configuration/projects/contract.ts'
import { type Live, pointsOf, provenResults } from '../../job-sheets/server/service.ts'
import { boardCalls } from '../board.ts'
import { mtnMaintenanceOrder, orderCalls, orderDraft } from '../contract.ts'
import { figureCalls } from '../figures.ts'
import { allowedSteps, type StepName, stepTo } from '../steps.ts'
import { workCalls } from '../work.ts'
import { boardOf } from './board.ts'
import { figuresOf } from './figures.ts'
import { peopleFor, standingOf } from './people.ts'
import { stoodSince } from './running.ts'
import {
  create,
  filesOfPath,
  fromAlarm,
  handOver,
  history,
  mine,
  orders,
  type Planned,
  readings,
  statistics,
  statusOf,
  update,
} from './service.ts'
import { type Given, step } from './steps.ts'
import { addLabor, movePart, reserve, runLabor, workOf } from './work.ts'

const r = mtnMaintenanceOrder
const byName = [
  'dispatch',
  'accept',
  'arrive',
  'refuse',
  'suspend',
  'resume',
  'check',
  'reject',
  'cancel',
  'comment',
  'takeOver',
  'declineOver',
  'finish',
] as const satisfies readonly StepName[]

/** Steps shared with upkeep orders and rounds. */
const ofAny: ReadonlySet<StepName> = new Set(['finish', 'takeOver', 'declineOver', 'comment'])

type Needs = { telemetry?: Live & Partial<Pick<Telemetry, 'statistics'>>; planned?: Planned; clock?: () => number }
export const orderRoutes = (app: FastifyInstance, { telemetry, planned, clock = Date.now }: Needs = {}) => {
  const { change } = schemas(r)
  const shapes = {
    draft: orderDraft,
    change: Type.Object({ ...change.properties, Status: Type.Optional(Type.Integer({ minimum: 0, maximum: 7 })) }),
  }
  crud(app, r, { own: { ...(orders as object), create, update } as never, shapes })
  const proven = async (db: Db, id: number, given: Given): Promise<Given> =>
    given.Results ? { ...given, Results: await provenResults(db, telemetry, r, id, given.Results) } : given
  /** Downtime from the running point. Only for repairs reported as stopping the machine. */
  const stoodFor = async (db: Db, actor: Actor, id: number, name: StepName) =>
    name === 'finish' && telemetry?.statistics
      ? stoodSince({ db, actor, telemetry: { statistics: telemetry.statistics } }, id, clock())
      : undefined
  /** A step of an order of any kind. */
  const take = async (db: Db, actor: Actor, id: number, name: StepName, given: Given) =>
    (ofAny.has(name) && (await planned?.step(db, actor, name, id, given))) ||
    step(db, actor, id, name, await proven(db, id, given), await stoodFor(db, actor, id, name))
  for (const name of byName)
    serve(app, orderCalls[name] as Call, ({ db, actor, body }) => {
      const { OrderId, ...given } = body as { OrderId: number } & Given
      return take(db, actor, OrderId, name, given)
    })
  serve(app, orderCalls.handle, ({ db, actor, body: { OrderId, ...given } }) => take(db, actor, OrderId, 'finish', given))
  serve(app, orderCalls.handlePath, async ({ db, actor, request }) => {
    const { attach, desc } = request.params as { attach: string; desc: string }
    return take(db, actor, orderOf(request.params), 'finish', { Desc: desc.slice(0, 500), Files: await filesOfPath(db, actor, attach) })
  })
  serve(app, orderCalls.orderStatus, async ({ db, actor, request, body }) => {
    const id = orderOf(request.params)
    const [Status, to] = [await statusOf(db, actor, id), Number((request.params as { status: string }).status)]
    const name = stepTo(Status, to)
    if (name) return step(db, actor, id, name, await proven(db, id, (body ?? {}) as Given), await stoodFor(db, actor, id, name))
    const order = await orders.find(db, actor, id)
    const Steps = allowedSteps(order, await standingOf(db, actor, order))
    throw new Fault('wrongState', { title: order.OrderNo }, { Current: { Status, Steps } })
  })
  serve(app, orderCalls.handOver, ({ db, actor, body }) => handOver(db, actor, body, planned))
  lists(app, { path: orderCalls.mine.path, permission: orderCalls.mine.permission, answer: orderCalls.mine.answer! }, mine, ['GET'])
  serve(
    app,
    orderCalls.history,
    async ({ db, actor, query }) => (await planned?.history(db, actor, query.OrderId)) ?? history(db, actor, query.OrderId),
  )
  serve(
    app,
    orderCalls.readings,
    async ({ db, actor, query }) => (await planned?.readings(db, actor, query.OrderId)) ?? readings(db, actor, query.OrderId, telemetry),
  )
  serve(app, orderCalls.points, ({ db, actor, query }) => pointsOf(db, actor, query))
  serve(app, orderCalls.people, async ({ db, actor, query: { OrderId, ProjectId } }) => {
    if (OrderId) return peopleFor(db, actor, await orders.find(db, actor, OrderId))
    const of = ProjectId ? await store(project).find(db, actor, ProjectId) : undefined
    return peopleFor(db, actor, { EnterpriseId: of?.EnterpriseId ?? actor.EnterpriseId, ProjectId: of?.Id ?? null })
  })
  serve(app, orderCalls.fromAlarm, ({ db, actor, body }) => fromAlarm(db, actor, body))
  serve(app, workCalls.work, ({ db, actor, query }) => workOf(db, actor, query))
  serve(app, workCalls.reserve, ({ db, actor, body }) => reserve(db, actor, body))
  serve(app, workCalls.take, ({ db, actor, body }) => movePart(db, actor, body))
  serve(app, workCalls.giveBack, ({ db, actor, body }) => movePart(db, actor, body, { back: true }))
  serve(app, workCalls.startLabor, ({ db, actor, body }) => runLabor(db, actor, body.OrderId, true))
  serve(app, workCalls.stopLabor, ({ db, actor, body }) => runLabor(db, actor, body.OrderId, false))
  serve(app, workCalls.addLabor, ({ db, actor, body }) => addLabor(db, actor, body))
  serve(app, boardCalls.board, ({ db, actor, query }) => boardOf(db, actor, query))
  serve(app, orderCalls.statistics, ({ db, actor }) => statistics(db, actor))
}

const orderOf = (params: unknown) => idsOf({ Id: (params as { OrderId: string }).OrderId })[0]!

/** Key figures, which read the counters and states of up to 200 machines. */
export const figureRoutes = (app: FastifyInstance, of: { clock: () => number; telemetry?: Pick<Telemetry, 'statistics'> }) =>
  serve(app, figureCalls.figures, ({ db, actor, query }) =>
    reckonInTurn(actor, () => figuresOf({ db, actor, telemetry: of.telemetry, now: of.clock() }, query)),
  )
