// The server is killed while parts are taken, while a phone sends its queue, and while plans make orders: each once, whatever was answered.
import { beforeAll, expect, test } from 'vitest'
import type { Page } from '../../contract/call.ts'
import { password, until } from '../front-door.ts'
import { ownServer } from './own-server.ts'
import { enter, noReadings } from './tally.ts'
import { inTime, rounds } from './tiers.ts'

type Row = Record<string, unknown> & { Id: number }
const times = rounds(1, 10)
const [takes, comments, plans, machines] = [60, 60, 20, 10]
const own = ownServer()
let site: { tenant: number; person: number; project: number; devices: number[]; gateway: number }
let token = ''

const call = <T = Row>(method: string, path: string, body?: unknown) => own.door.call<T>(token, method, path, body)
const data = <T = Row>(method: string, path: string, body?: unknown) => own.door.data<T>(method, path, body, token)
const list = <T = Row>(path: string, query = '') => data<Page<T>>('GET', `${path}/List?PageSize=1000${query}`)
/** Kills the server and starts it again. The person stays signed in. */
const killed = async () => {
  await own.process.kill()
  await own.process.start()
}
const order = async (Title: string) => {
  const draft = { Title, ProjectId: site.project, DeviceId: site.devices[0], AssignUserId: site.person }
  const { Id } = await data('POST', '/Maintenance/MtnMaintenanceOrder', draft)
  await data('POST', '/Maintenance/MtnMaintenanceOrder/Accept', { OrderId: Id })
  return Id
}

beforeAll(async () => {
  const company = { Name: 'Killed company', ManagerNO: 'mara', ManagerName: 'Mara' }
  const { Id: tenant, OneTimePwd } = await own.door.data<Row & { OneTimePwd: string }>('POST', '/System/Enterprise', company)
  token = await own.door.login('mara', OneTimePwd)
  await data('POST', '/System/User/SetPwd', { OldPwd: OneTimePwd, NewPwd: password })
  token = await own.door.login('mara')
  const { Items: people } = await list<Row & { UserNO: string }>('/System/User')
  const { Id: project } = await data('POST', '/Project/Project', { ProjectName: 'Works' })
  const { Id: gateway } = await data('POST', '/Project/Gateway', { GatewayName: 'Gateway', SN: 'MAINTKILLED1', ProjectId: project })
  const channel = await data('POST', '/Project/Protocol/NetProtocol', {
    ProtocolName: 'Line',
    GatewayId: gateway,
    Ip: '10.0.0.1',
    Port: 502,
  })
  const devices: number[] = []
  for (let i = 1; i <= machines; i++) {
    const device = { DeviceName: `Pump ${i}`, GatewayId: gateway, NetProtocolId: channel.Id, SlaveNumber: i }
    devices.push((await data('POST', '/Project/Device', device)).Id)
  }
  site = { tenant, project, gateway, devices, person: people.find(({ UserNO }) => UserNO === 'mara')!.Id }
})

test(
  'parts that are taken while the server is killed leave the stock once each, and belong to their order',
  inTime(times),
  async ({ task }) => {
    const { Id: PlaceId } = await data('POST', '/Maintenance/MtnPlace', { PlaceName: 'Shelf' })
    const cut: number[] = []
    for (let round = 1; round <= times; round++) {
      const part = await data('POST', '/Maintenance/MtnComponent', { ComponentName: `Seal ${round}`, ComponentNo: `S-${round}` })
      await data('POST', '/Maintenance/MtnComponent/TakeIn', { Id: part.Id, PlaceId, Qty: takes + 5 })
      const OrderId = await order(`Leak ${round}`)
      const take = (i: number) =>
        call('POST', '/Maintenance/MtnMaintenanceOrder/TakePart', {
          ...{ OrderId, ComponentId: part.Id, PlaceId, Qty: 1, ClientKey: `take-${round}-${i}` },
        }).catch(() => undefined)
      const moved = async () =>
        (await data<Page<Row>>('GET', `/Maintenance/MtnComponent/OrderComponet?PageSize=1000&ComponentId=${part.Id}`)).Items
      const all = Array.from({ length: takes }, (_, i) => take(i))
      await Promise.race([until('some of them', async () => (await moved()).length > 1 + Math.random() * (takes / 2)), Promise.all(all)])
      await killed()
      const answered = (await Promise.all(all)).filter((answer) => answer?.Succeeded).length
      const outs = (await moved()).length - 1
      expect(outs).toBeGreaterThanOrEqual(answered)
      cut.push(outs)
      // As the phone does: the same steps, with the same keys.
      for (let i = 0; i < takes; i++) expect(await take(i)).toMatchObject({ Succeeded: true })
      const chain = (await moved()).sort((a, b) => a.Id - b.Id)
      expect(chain.map(({ AfterQty }) => AfterQty)).toEqual(Array.from({ length: takes + 1 }, (_, i) => takes + 5 - i))
      expect(await data('GET', `/Maintenance/MtnComponent?Id=${part.Id}`)).toMatchObject({ StockQty: 5 })
      const { Parts } = await data<{ Parts: object[] }>('GET', `/Maintenance/MtnMaintenanceOrder/Work?OrderId=${OrderId}`)
      expect(Parts).toMatchObject([{ ComponentId: part.Id, Taken: takes }])
    }
    enter(task, {
      fault: 'killed while parts are taken',
      rounds: times,
      ...noReadings,
      note: `${takes} parts, killed after ${cut.join(', ')}`,
    })
  },
)

test('a queue of a phone that is sent while the server is killed is in the history once', inTime(times), async ({ task }) => {
  type History = { History: { Step: string; Desc: string }[] }
  const cut: number[] = []
  for (let round = 1; round <= times; round++) {
    const OrderId = await order(`Queue ${round}`)
    const began = Date.now()
    const send = (i: number) =>
      call('POST', '/Maintenance/MtnMyOrder/LateStep', {
        ...{ OrderId, Step: 'comment', Desc: `Comment ${i}`, ClientKey: `late-${round}-${i}`, Version: 2 },
        ...{ TakenAt: began + i, SentAt: Date.now() },
      }).catch(() => undefined)
    const said = async () => {
      const { History } = await data<History>('GET', `/Maintenance/MtnMyOrder/OrderHistory?OrderId=${OrderId}`)
      return History.filter(({ Step }) => Step === 'comment').map(({ Desc }) => Desc)
    }
    const at = 1 + Math.floor(Math.random() * (comments / 2))
    let next = 0
    // One after the other; unanswered steps stay in the queue.
    const phone = (async () => {
      while (next < comments && (await send(next))?.Succeeded) next++
    })()
    await until('some of them', () => next >= at)
    await own.process.kill()
    await phone
    await own.process.start()
    const there = (await said()).length
    expect(there).toBeGreaterThanOrEqual(next)
    cut.push(there)
    for (; next < comments; next++) expect(await send(next)).toMatchObject({ Succeeded: true })
    expect(await said()).toEqual(Array.from({ length: comments }, (_, i) => `Comment ${i}`))
  }
  enter(task, {
    fault: 'killed while a phone sends',
    rounds: times,
    ...noReadings,
    note: `${comments} steps, killed after ${cut.join(', ')}`,
  })
})

test('plans that are due while the server is killed make one order for each machine', inTime(times), async ({ task }) => {
  const cut: number[] = []
  for (let round = 1; round <= times; round++) {
    const ids: number[] = []
    const StartDate = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
    for (let i = 1; i <= plans; i++) {
      const plan = {
        PlanName: `Plan ${round}-${i}`,
        ProjectId: site.project,
        DeviceIds: site.devices,
        StartDate,
        CycleType: 6,
        AdvanceDays: 3,
      }
      ids.push((await data('POST', '/Maintenance/MtnUpKeepPlan', plan)).Id)
    }
    const made = async () => {
      const of = (await list('/Maintenance/MtnUpKeepOrder', `&Title=Plan%20${round}-`)).Items
      return of.filter(({ PlanId }) => ids.includes(PlanId as number))
    }
    const enabled = ids.map((Id) => call('POST', '/Maintenance/MtnUpKeepPlan/PlanStatus', { Id, PlanStatus: 1 }).catch(() => undefined))
    await Promise.race([until('some orders', async () => (await made()).length > Math.random() * plans * 2), Promise.all(enabled)])
    await killed()
    await Promise.all(enabled)
    cut.push((await made()).length)
    // Those that the kill kept from being enabled.
    for (const Id of ids) await call('POST', '/Maintenance/MtnUpKeepPlan/PlanStatus', { Id, PlanStatus: 1 })
    await until('all orders', async () => (await made()).length >= plans * machines)
    const keys = (await made()).map(({ PlanId, DeviceId, PlanTime }) => `${PlanId} ${DeviceId} ${PlanTime}`)
    expect(new Set(keys).size).toBe(plans * machines)
    expect(keys).toHaveLength(plans * machines)
  }
  const note = `${plans} plans of ${machines} machines, killed after ${cut.join(', ')} orders`
  enter(task, { fault: 'killed while plans make orders', rounds: times, ...noReadings, note })
})
