import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Page } from '../contract/call.ts'
import { connectHub, type House, startHouse, until } from './house.ts'
import { startDevice } from './modbus-device.ts'

let house: House
let device: Awaited<ReturnType<typeof startDevice>>
let edge: Awaited<ReturnType<House['startEdge']>>
let hub: Awaited<ReturnType<typeof connectHub>>
let plant: Awaited<ReturnType<House['newGateway']>>
let level: number
let setPoint: number
const started = Date.now()

beforeAll(async () => {
  house = await startHouse()
  device = await startDevice()
  device.setFloat(0, 4.5)
  plant = await house.newGateway('MAINJOB00001', device.port)
  const point = (more: object) => house.data('POST', '/Project/DevPara', { DeviceId: plant.device, CollectPeriod: 100, ...more })
  level = (await point({ ParaName: 'Level', Address: '0', AlarmHigh: 8, ProjectLow: 0, ProjectHigh: 10, ParaUnitName: 'm' })).Id
  setPoint = (await point({ ParaName: 'Set point', Address: '10', ReadWriteType: 1, ParaDataType: 2, UploadMode: 3 })).Id
  edge = await house.startEdge(plant)
  hub = await connectHub(house.origin, house.admin)
  await house.online(plant.gateway)
})
afterAll(async () => {
  await hub?.connection.stop()
  await edge?.close()
  await device?.close()
  await house?.close()
})

const alarmList = (query = '') => house.data<Page<Record<string, unknown>>>('GET', `/Alarm/AlarmInfo/List?ParaId=${level}${query}`)

describe('a value read from a field device', () => {
  it('is polled after the configuration was pushed, and not before', async () => {
    expect(device.state.reads).toBe(0)
    expect(await house.push(plant.gateway)).toMatchObject({ Code: 0 })
    await until('polling', () => device.state.reads > 2)
    expect(await house.data('GET', `/Project/Gateway?Id=${plant.gateway}`)).toMatchObject({ ConfigStatus: 0, ConfigVersion: 1 })
  })

  it('reaches subscribers, newest value first', async () => {
    await hub.connection.invoke('LoginConnect', (await house.data<{ Id: number }>('GET', '/System/User/UserInfo')).Id)
    await hub.connection.invoke('Subscribe', [level, setPoint])
    device.setFloat(0, 5.25)
    await until('5.25 on the hub', () => hub.values.find(([id, , value]) => id === level && value === 5.25))
    const [last] = await house.data<{ ParaId: number; Value: number; Quality: number }[]>(
      'POST',
      '/DataCenter/ReportData/LastDataFromCache_APP_Common',
      { ParaIds: [level] },
    )
    expect(last).toMatchObject({ ParaId: level, Value: 5.25, Quality: 0 })
  })

  it('is stored, and comes back from history as it was read', async () => {
    const { Series } = await house.data<{ Series: { ParaId: number; Last: number[]; Count: number[] }[] }>(
      'POST',
      '/DataCenter/ReportData/Data',
      { ParaIds: [level], Start: started, End: Date.now() + 1000, Buckets: 5000 },
    )
    expect(Series[0]!.ParaId).toBe(level)
    expect(new Set(Series[0]!.Last)).toEqual(new Set([4.5, 5.25]))
  })

  it('raises an alarm beyond its limit once, notifies the console, holds it, and clears below the hysteresis', async () => {
    device.setFloat(0, 8.5)
    await until('the alarm', () => hub.alarms.find((a) => a.ParaId === level && a.Event === 'raised'))
    const [alarm] = (await alarmList('&IsActive=1')).Items
    expect(alarm).toMatchObject({
      ParaId: level,
      Limit: 'high',
      LimitValue: 8,
      TriggerValue: 8.5,
      HandleStatus: 0,
      AckStatus: 0,
      ParaName: 'Level',
      DeviceName: 'Device',
    })
    expect(await house.data('POST', '/Alarm/AlarmInfo/Acknowledge', { Ids: [alarm!.Id] })).toEqual({ Changed: 1 })
    device.setFloat(0, 7.95)
    await until('7.95 on the hub', () => hub.values.find(([id, , value]) => id === level && Math.abs(value! - 7.95) < 1e-6))
    expect((await alarmList('&IsActive=1')).Items).toHaveLength(1)
    device.setFloat(0, 6)
    await until('the recovery', () => hub.alarms.find((a) => a.ParaId === level && a.Event === 'recovered'))
    expect((await alarmList()).Items).toEqual([expect.objectContaining({ Id: alarm!.Id, IsActive: 0, HandleStatus: 1, AckStatus: 1 })])
  })

  it('can be written: the device has it, the console sees it, the history of commands names who', async () => {
    expect(await house.data('POST', '/Project/DevPara/Write', { ParaId: setPoint, Value: 77 })).toMatchObject({ Code: 0 })
    expect(device.registers[10]).toBe(77)
    await until('77 on the hub', () => hub.values.find(([id, , value]) => id === setPoint && value === 77))
    const { Items } = await house.data<Page<Record<string, unknown>>>(
      'GET',
      `/Project/Gateway/CommandList?GatewayId=${plant.gateway}&CmdType=write`,
    )
    expect(Items[0]).toMatchObject({ Code: 0, UserName: 'Administrator' })
    expect(await house.call(house.admin, 'POST', '/Project/DevPara/Write', { ParaId: level, Value: 1 })).toMatchObject({ Succeeded: false })
    expect(await house.call(house.admin, 'POST', '/Project/DevPara/Write', { ParaId: setPoint, Value: 70_000 })).toMatchObject({
      Succeeded: false,
      Details: { Fault: 'doesNotFit' },
    })
  })

  it('survives a restart of its gateway without network, in order and without a hole', async () => {
    let counter = 0
    device.state.onRead = () => device.setFloat(0, 1000 + ++counter)
    const from = Date.now()
    await until('counting', () => hub.values.some(([id, , value]) => id === level && value! > 1000))
    await house.gateways.uplink.disconnect(plant.SN)
    await until('more counts', () => counter > 40)
    device.state.onRead = () => {}
    await until('an empty queue', () => edge.status().queued === 0 && edge.status().online)
    const { Series } = await house.data<{ Series: { Last: number[]; Time: number[] }[] }>('POST', '/DataCenter/ReportData/Data', {
      ParaIds: [level],
      Start: from,
      End: Date.now() + 1000,
      Buckets: 10_000,
    })
    const counted = Series[0]!.Last.filter((v) => v > 1000)
    expect([...new Set(counted)]).toEqual([...new Set(counted)].sort((a, b) => a - b))
    expect(new Set(counted).size).toBe(counted[counted.length - 1]! - counted[0]! + 1)
  })

  it('that is missing is explained stage by stage', async () => {
    const walk = await house.data<{ Stage: string; Ok: boolean | null }[]>('GET', `/Project/Device/WhyNoData?Id=${plant.device}`)
    expect(walk.map((s) => s.Stage)).toEqual(['gateway', 'config', 'transport', 'parse', 'store', 'rule'])
    expect(walk.find((s) => s.Stage === 'gateway')!.Ok).toBe(true)
  })

  it('adds up: received is stored, replaced, rejected and live-only together', async () => {
    const figures = Object.fromEntries(
      (await (await fetch(`${house.origin}/metrics`)).text())
        .split('\n')
        .filter((l) => l.startsWith('penstock_readings_'))
        .map((l) => [l.slice('penstock_readings_'.length, l.indexOf('{')), Number(l.split(' ')[1])]),
    )
    expect(figures.received_total).toBeGreaterThan(0)
    expect(figures.received_total).toBe(
      figures.stored_total! + figures.replaced_total! + figures.rejected_total! + figures.live_only_total!,
    )
  })
})

it('a table with a wrong row is refused as a whole, names the row, and the old one goes on', async () => {
  const bad = await house.data('POST', '/Project/DevPara', {
    DeviceId: plant.device,
    ParaName: 'Same place',
    Address: '65535',
    ParaDataType: 7,
  })
  const before = device.state.reads
  expect(await house.push(plant.gateway)).toMatchObject({
    Code: 10,
    Detail: [expect.objectContaining({ ParaName: 'Same place', Field: 'Address' })],
  })
  await until('the old table to be polled on', () => device.state.reads > before + 2)
  await house.data('DELETE', '/Project/DevPara', { Id: bad.Id })
  expect(await house.push(plant.gateway)).toMatchObject({ Code: 0 })
})

it('is ready, alive, and says so', async () => {
  expect((await fetch(`${house.origin}/healthz`)).status).toBe(200)
  expect(await (await fetch(`${house.origin}/readyz`)).json()).toMatchObject({ status: 'ready' })
})
