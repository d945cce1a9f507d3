import { useEffect } from 'react'
import { askOrKept, forgetKept, keepAnswer, keepPictures, keptAnswer, pathOf, picturesIn } from '../../../../console/offline/kept.ts'
import { invoke, queryString, request } from '../../../../console/session/request.ts'
import { useMay } from '../../../../console/session/session.ts'
import { knowledgeCalls } from '../../knowledge-base/contract.ts'
import { mtnMaintenanceOrder, orderCalls } from '../contract.ts'
import { workCalls } from '../work.ts'

type Row = Record<string, unknown> & { Id: number; UpdateStamp?: unknown }
const orderPath = (id: number) => `${mtnMaintenanceOrder.path}${queryString({ Id: id })}`
export const readOrder = (id: number) => ({ path: orderPath(id), ask: () => request<Row>('GET', orderPath(id)) })
export const articlesOf = ({ DeviceId, EquipmentId, FaultCodeId, Title }: Record<string, unknown>) => ({
  ...(EquipmentId ? { EquipmentId: Number(EquipmentId) } : DeviceId ? { DeviceId: Number(DeviceId) } : {}),
  ...(FaultCodeId ? { FaultCodeId: Number(FaultCodeId) } : {}),
  ...(Title ? { Words: String(Title).slice(0, 200) } : {}),
})

type Piece = { path: string; ask: () => Promise<unknown> }
const piecesOf = (order: Row, withArticles: boolean): Piece[] => {
  const [query, articles] = [{ OrderId: order.Id }, articlesOf(order)]
  return [
    readOrder(order.Id),
    { path: pathOf(orderCalls.history, query), ask: () => invoke(orderCalls.history, { query }) },
    workPiece(order),
    ...(withArticles
      ? [{ path: pathOf(knowledgeCalls.offer, articles), ask: () => invoke(knowledgeCalls.offer, { query: articles }) }]
      : []),
  ]
}
/** Parts and labor of an order, shared by upkeep orders and patrol rounds. */
const workPiece = (order: Row): Piece => {
  const query = { OrderId: order.Id }
  return { path: pathOf(workCalls.work, query), ask: () => invoke(workCalls.work, { query }) }
}
/** Key under which the cached version of an order is stored, to avoid repeated fetches. */
const statePath = (id: number) => `state ${id}`
const ofOrders = [
  `${mtnMaintenanceOrder.path}?`,
  orderCalls.history.path,
  workCalls.work.path,
  knowledgeCalls.offer.path,
  statePath(0).slice(0, -1),
]

const keepOrders = async (orders: readonly Row[], planned: readonly Row[], withArticles: boolean) => {
  const wanted = new Set<string>()
  const pictures = picturesIn(orders)
  const all = [
    ...orders.map((order) => ({ order, pieces: piecesOf(order, withArticles) })),
    ...planned.map((order) => ({ order, pieces: [workPiece(order)] })),
  ]
  for (const { order, pieces } of all) {
    const state = JSON.stringify([order.UpdateStamp, order.Status])
    const isKept = (await keptAnswer(statePath(order.Id))) === state
    wanted.add(statePath(order.Id))
    let isFresh = true
    for (const { path, ask } of pieces) {
      wanted.add(path)
      const held = isKept ? await keptAnswer(path) : undefined
      const { data, keptAt } = held === undefined ? await askOrKept(path, ask) : { data: held, keptAt: null }
      isFresh &&= keptAt === null
      pictures.push(...picturesIn(data))
    }
    // If the connection dropped, the cached version is stale and is fetched again next time.
    if (isFresh) await keepAnswer(statePath(order.Id), state)
  }
  await forgetKept((path) => ofOrders.some((start) => path.startsWith(start)) && !wanted.has(path))
  await keepPictures([...new Set(pictures)])
}

type Rows = readonly unknown[] | undefined
/** Caches pages, articles and pictures of repairs, and parts of upkeep orders and rounds, for offline work. */
export const useKeepOrders = (orders: Rows, upkeeps: Rows, rounds: Rows) => {
  const mayRead = useMay('m10610')
  useEffect(() => {
    if (orders && upkeeps && rounds) void keepOrders(orders as Row[], [...upkeeps, ...rounds] as Row[], mayRead).catch(() => undefined)
  }, [orders, upkeeps, rounds, mayRead])
}
