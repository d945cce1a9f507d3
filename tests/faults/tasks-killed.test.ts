// The server is killed during a task. It resumes at the first row that is not done, and repeats none.
import { expect, test } from 'vitest'
import type { Page } from '../../contract/call.ts'
import { until } from '../front-door.ts'
import { startFleet } from './fleet.ts'
import { ownServer } from './own-server.ts'
import { enter, noReadings } from './tally.ts'
import { inTime, rounds } from './tiers.ts'

type Task = { Id: number; Status: number; Done: number; Failed: number; Total: number }
const times = rounds(1, 10)
const [products, devices, copied, parts, gateways] = [80, 80, 60, 12, 12]
const done = 3
const own = ownServer()

/** Kills the server once some rows are done, starts it again, and waits for the end. Answers how many were done at the kill. */
const killedAtWork = async (path: string, Id: number, total: number) => {
  const find = () => own.door.data<Task>('GET', `${path}?Id=${Id}`)
  const at = 1 + Math.floor(Math.random() * (total / 2))
  await until('some rows', async () => (await find()).Done >= at)
  await own.process.kill()
  await own.process.start()
  const before = (await find()).Done
  const task = await until('the end of the task', async () => {
    const now = await find()
    return now.Status >= done && now
  })
  expect(task).toMatchObject({ Status: done, Done: total, Failed: 0 })
  return before
}
const count = async (path: string) => (await own.door.data<Page<{ Id: number }>>('GET', path)).TotalCount

test('a product task ends with a project for each serial number', inTime(times), async ({ task }) => {
  const { project } = await own.door.newGateway('TEMPLATE0001', 1)
  const series = await own.door.data('POST', '/Product/ProProductSeries', { SeriesName: 'Mixer', TemplateProjectId: project })
  const cut: number[] = []
  for (let round = 1; round <= times; round++) {
    const SNs = Array.from({ length: products }, (_, i) => `MIXER${round}X${String(i).padStart(4, '0')}`)
    const path = '/V3/Product/ProductTask'
    const { Id } = await own.door.data('POST', `${path}/ProBatchAddProductTask`, { SeriesId: series.Id, NameRule: `R${round} {SN}`, SNs })
    cut.push(await killedAtWork(path, Id, products))
    const made = await own.door.data<Page<{ ProjectName: string }>>('GET', `/Project/Project/List?ProjectName=R${round}%20&PageSize=1000`)
    expect(made.Items.map((p) => p.ProjectName).sort()).toEqual(SNs.map((SN) => `R${round} ${SN}`))
    expect(await count(`/Project/Gateway/List?SN=MIXER${round}X&PageSize=1`)).toBe(products)
  }
  enter(task, { fault: 'product task killed', rounds: times, ...noReadings, note: `${products} rows, killed after ${cut.join(', ')}` })
})

test('a model is applied to each device once', inTime(times), async ({ task }) => {
  const { gateway } = await own.door.newGateway('KILLEDTASK01', 1)
  const model = await own.door.data('POST', '/ProModel/ProModel', { ModelName: 'Pump' })
  for (const Address of ['0', '2', '4'])
    await own.door.data('POST', '/ProModel/ModelPara', { ModelId: model.Id, ParaName: `Point ${Address}`, Address })
  await own.door.data('POST', '/ProModel/ProModel/Publish', { Id: model.Id })
  const cut: number[] = []
  for (let round = 1; round <= times; round++) {
    const DeviceIds: number[] = []
    const channel = { ProtocolName: `Line ${round}`, GatewayId: gateway, Ip: `10.0.0.${round}`, Port: 502 }
    const { Id: NetProtocolId } = await own.door.data('POST', '/Project/Protocol/NetProtocol', channel)
    for (let i = 1; i <= devices; i++) {
      const device = { DeviceName: `Pump ${round}-${i}`, GatewayId: gateway, NetProtocolId, SlaveNumber: i, ModelId: model.Id }
      DeviceIds.push((await own.door.data('POST', '/Project/Device', device)).Id)
    }
    const path = '/Project/ProjectTask'
    const { Id } = await own.door.data('POST', path, { TaskName: `Round ${round}`, Kind: 2, ModelId: model.Id, DeviceIds })
    cut.push(await killedAtWork(path, Id, devices))
    for (const id of DeviceIds) expect(await count(`/V2/Project/DevPara/List?DeviceIds=${id}&PageSize=1`)).toBe(3)
  }
  enter(task, { fault: 'model task killed', rounds: times, ...noReadings, note: `${devices} rows, killed after ${cut.join(', ')}` })
})

test('a project is copied with each gateway once, and devices are added once', inTime(times), async ({ task }) => {
  const { project, gateway } = await own.door.newGateway('COPYSOURCE01', 1)
  const more = Array.from({ length: copied - 1 }, (_, i) => `COPYSOURCE${i + 10}`)
  await own.door.data('POST', '/Project/Gateway/BatchAdd', { ProjectId: project, SNs: more })
  const of = await own.door.data<Page<{ Id: number }>>('GET', `/Project/Gateway/List?ProjectId=${project}&PageSize=1000`)
  const cut: number[] = []
  for (let round = 1; round <= times; round++) {
    const Gateways = of.Items.map(({ Id }, i) => ({ Id, SN: `COPIED${round}X${String(i).padStart(4, '0')}` }))
    const copy = { ProjectId: project, ProjectName: `Copy ${round}`, Gateways, AsTask: 1 }
    const made = await own.door.data<{ Id: number; TaskId: number }>('POST', '/Project/Project/QProjectCopyGatewayAndDevices', copy)
    cut.push(await killedAtWork('/Project/ProjectTask', made.TaskId, copied))
    expect(await count(`/Project/Gateway/List?ProjectId=${made.Id}&PageSize=1`)).toBe(copied)
    const batch = { GatewayId: gateway, NameRule: `Fan ${round}-{1..${devices}}`, CommType: 0, AsTask: 1 }
    const { TaskId } = await own.door.data<{ TaskId: number }>('POST', '/Project/Device/BatchAdd', batch)
    cut.push(await killedAtWork('/Project/ProjectTask', TaskId, devices))
    expect(await count(`/Project/Device/List?DeviceName=Fan%20${round}-&PageSize=1`)).toBe(devices)
  }
  const note = `${copied} gateways and ${devices} devices, killed after ${cut.join(', ')}`
  enter(task, { fault: 'copy and batch tasks killed', rounds: times, ...noReadings, note })
})

/** Sends a sheet to be imported as a task. */
const importSheet = async (path: string, lines: readonly string[]) => {
  const form = new FormData()
  form.append('file', new Blob([lines.join('\n')]), 'sheet.csv')
  const headers = { authorization: `Bearer ${own.door.admin}`, 'accept-language': 'en' }
  const answer = await fetch(`${own.door.origin}/api${path}&AsTask=1`, { method: 'POST', headers, body: form })
  const { Data, ...refused } = (await answer.json()) as { Data: { TaskId: number } | null }
  if (!Data) throw new Error(JSON.stringify(refused))
  return Data.TaskId
}

test('a sheet of devices is imported with each row once', inTime(times), async ({ task }) => {
  const { gateway } = await own.door.newGateway('SHEETTASK002', 1)
  const sheetParts = 6
  const cut: number[] = []
  for (let round = 1; round <= times; round++) {
    const lines = Array.from({ length: sheetParts * 500 }, (_, i) => `Valve ${round}-${i},${1 + (i % 200)}`)
    const TaskId = await importSheet(`/Project/Device/Import?GatewayId=${gateway}`, ['DeviceName,SlaveNumber', ...lines])
    cut.push(await killedAtWork('/Project/ProjectTask', TaskId, sheetParts))
    expect(await count(`/Project/Device/List?GatewayId=${gateway}&DeviceName=Valve%20${round}-&PageSize=1`)).toBe(sheetParts * 500)
  }
  enter(task, {
    fault: 'import task of devices killed',
    rounds: times,
    ...noReadings,
    note: `${sheetParts} parts, killed after ${cut.join(', ')}`,
  })
})

test('a sheet of points is imported with each row once', inTime(times), async ({ task }) => {
  const { device } = await own.door.newGateway('SHEETTASK001', 1)
  const cut: number[] = []
  for (let round = 1; round <= times; round++) {
    const lines = Array.from({ length: parts * 500 }, (_, i) => `Round ${round} ${i},${(round - 1) * parts * 500 + i + 100}`)
    const TaskId = await importSheet(`/Project/DevPara/Import?DeviceId=${device}`, ['ParaName,Address', ...lines])
    cut.push(await killedAtWork('/Project/ProjectTask', TaskId, parts))
    expect(await count(`/Project/DevPara/List?DeviceId=${device}&ParaName=Round%20${round}%20&PageSize=1`)).toBe(parts * 500)
  }
  enter(task, { fault: 'import task killed', rounds: times, ...noReadings, note: `${parts} parts, killed after ${cut.join(', ')}` })
})

test('each gateway accepts one push of a task, and each device is checked once', inTime(2 * times), async ({ task }) => {
  const fleet = await startFleet(own.door, own.process.mqttPort, { count: gateways, prefix: 'FLEET' })
  const { members } = fleet
  try {
    const [pushes, checks]: number[][] = [[], []]
    const GatewayIds = members.map(({ gateway }) => gateway)
    for (let round = 1; round <= times; round++) {
      const before = members.map(({ accepted }) => accepted.length)
      const pushed = await own.door.data<{ Data: { TaskId: number } }>('POST', '/Project/Protocol/OptionPush', { GatewayIds })
      pushes!.push(await killedAtWork('/Project/ProjectTask', pushed.Data.TaskId, gateways))
      expect(members.map(({ accepted }, i) => accepted.length - before[i]!)).toEqual(members.map(() => 1))
      for (const { gateway, accepted } of members)
        expect(await own.door.data(`GET`, `/Project/Gateway?Id=${gateway}`)).toMatchObject({
          ConfigStatus: 0,
          ConfigVersion: accepted.at(-1),
        })
      const check = { TaskName: `Check ${round}`, Kind: 3, DeviceIds: members.map(({ device }) => device) }
      const { Id } = await own.door.data('POST', '/Project/ProjectTask', check)
      checks!.push(await killedAtWork('/Project/ProjectTask', Id, gateways))
      const found = await own.query<{ n: number }>(`select count(*)::int as n from point_check where "TaskId" = ${Id}`)
      expect(found).toEqual([{ n: gateways }])
    }
    const note = (of: number[] | undefined) => `${gateways} rows, killed after ${of?.join(', ')}`
    enter(task, { fault: 'push task killed', rounds: times, ...noReadings, note: note(pushes) })
    enter(task, { fault: 'check task killed', rounds: times, ...noReadings, note: note(checks) })
  } finally {
    await fleet.close()
  }
})
